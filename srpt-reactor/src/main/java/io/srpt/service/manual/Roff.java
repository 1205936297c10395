package io.srpt.service.manual;

/** A page in the macros of {@code man(7)}, as it grows. */
final class Roff {
    private final StringBuilder page = new StringBuilder();

    /** A macro with arguments. */
    Roff request(String name, String... arguments) {
        page.append('.').append(name);
        for (String argument : arguments) {
            page.append(" \"").append(escape(argument)).append('"');
        }
        page.append('\n');
        return this;
    }

    /** Text that is printed as it is. */
    Roff text(String line) {
        String escaped = escape(line.strip());
        page.append(escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" : "")
                .append(escaped)
                .append('\n');
        return this;
    }

    /** A line that has been made with {@link #escape}, {@link #bold} and {@link #variable}. */
    Roff line(String escaped) {
        page.append(escaped).append('\n');
        return this;
    }

    static String bold(String text) {
        return "\\fB" + escape(text) + "\\fR";
    }

    /** What somebody has to put something in the place of. */
    static String variable(String text) {
        return "\\fI" + escape(text) + "\\fR";
    }

    /** Text that {@code troff} prints as it is: with its backslashes and hyphens, which it would else change. */
    static String escape(String text) {
        return text.replace("\\", "\\e").replace("-", "\\-").replace("\"", "\\(dq");
    }

    @Override
    public String toString() {
        return page.toString();
    }
}
