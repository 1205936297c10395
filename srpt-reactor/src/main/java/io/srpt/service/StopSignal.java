package io.srpt.service;

/** When a service that runs until it is told otherwise should stop. */
@FunctionalInterface
interface StopSignal {
    /** Returns when the service should stop; then runs {@code stop}, with which the caller takes it apart, once. */
    void awaitAndRun(Runnable stop);
}
