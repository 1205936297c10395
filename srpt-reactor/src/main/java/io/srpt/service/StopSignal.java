package io.srpt.service;

/** When a service that runs until it is told otherwise should stop. */
@FunctionalInterface
interface StopSignal {
    /** From now on being told to stop is remembered: to be called before anything says that the service is there. */
    default void listen() {}

    /** SIGHUP runs {@code reload} from now on, on a thread of its own, and does not stop the service. */
    default void onReload(Runnable reload) {}

    /** Returns when the service should stop; then runs {@code stop}, with which the caller takes it apart, once. */
    void awaitAndRun(Runnable stop);
}
