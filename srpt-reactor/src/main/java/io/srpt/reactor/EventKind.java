package io.srpt.reactor;

/** The streams for observers. */
public enum EventKind {
    CHANNEL("channel"),
    LOGIN("login"),
    COMMAND("command"),
    TASK_MANAGEMENT("task_management"),
    PORT("port"),
    TRANSPORT("transport"),
    STALL("stall"),
    MAD("mad");

    private final String label;

    EventKind(String label) {
        this.label = label;
    }

    /** Its name in metrics and logs. */
    public String label() {
        return label;
    }
}
