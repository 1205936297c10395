package io.srpt.service;

/**
 * One value of a setting, not yet checked, and where it was said.
 *
 * @param text the value
 * @param where {@code FILE:LINE:COLUMN}, or the environment variable; empty for an option
 * @param path the key, with the place in the list where it is one of several: {@code lun[1]}
 */
record Setting(String text, String where, String path) {
    /** From the command line. */
    static Setting ofOption(SettingKey key, String text) {
        return new Setting(text, "", key.key());
    }

    /** From the environment. */
    static Setting ofEnvironment(SettingKey key, String text) {
        return new Setting(text, key.environmentVariable(), key.key());
    }

    /** That it is wrong, and why. */
    ConfigurationException wrong(String problem) {
        return new ConfigurationException(place() + path + ": " + problem);
    }

    /** That it is wrong, and why; {@code message} may begin with the key already. */
    ConfigurationException wrong(SettingKey key, Exception cause) {
        String message = String.valueOf(cause.getMessage());
        String prefix = key.key() + ": ";
        String problem = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
        return new ConfigurationException(place() + path + ": " + problem, cause);
    }

    private String place() {
        return where.isEmpty() ? "" : where + ": ";
    }
}
