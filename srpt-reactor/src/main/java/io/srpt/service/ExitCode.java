package io.srpt.service;

/** Exit codes of the command line. */
public final class ExitCode {
    /** It did what was asked. */
    public static final int OK = 0;
    /** It started to, and failed: no answer, a login refused, a port in use, data that differ. */
    public static final int FAILURE = 1;
    /** The options or the configuration file are wrong; nothing was done. */
    public static final int USAGE = 2;

    /** It was told to stop twice, and stopped at once. */
    public static final int STOPPED_AT_ONCE = 3;

    private ExitCode() {}
}
