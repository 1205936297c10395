package io.srpt.service;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What the commands take from outside, so that tests can give something else.
 *
 * @param devices opens RDMA devices
 * @param environment environment variables
 * @param home the user's home directory
 * @param random bits for a new service GUID
 * @param stop when to stop serving
 */
record CommandContext(
        DeviceFactory devices, Map<String, String> environment, Path home, LongSupplier random, StopSignal stop) {
    /** The real world. */
    static CommandContext ofProcess() {
        return new CommandContext(
                new RoceDevices(),
                System.getenv(),
                Path.of(System.getProperty("user.home", "/")),
                new SecureRandom()::nextLong,
                new ProcessStopSignal());
    }
}
