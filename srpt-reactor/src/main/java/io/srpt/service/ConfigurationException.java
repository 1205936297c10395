package io.srpt.service;

/** An option or a key of the configuration file is wrong. The message names it and says what would be right. */
public final class ConfigurationException extends Exception {
    private static final long serialVersionUID = 1L;

    /** With a message for the operator. */
    public ConfigurationException(String message) {
        super(message);
    }

    /** With a message for the operator and the cause. */
    public ConfigurationException(String message, Throwable cause) {
        super(message, cause);
    }
}
