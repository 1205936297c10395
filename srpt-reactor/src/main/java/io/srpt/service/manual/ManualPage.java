package io.srpt.service.manual;

import java.util.IllegalFormatException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A man page of one command in the macros of {@code man(7)}, from the description that the command's own {@code --help} has.
 *
 * @param name of the page, without section: {@code srpt-serve}
 * @param text what the file holds
 */
public record ManualPage(String name, String text) {
    /** Where commands for administrators are. */
    public static final int SECTION = 8;

    /** The name of the file. */
    public String fileName() {
        return name + "." + SECTION;
    }

    /** The pages of a command and of all commands below it. */
    public static Stream<ManualPage> of(CommandLine command, String version) {
        CommandSpec spec = command.getCommandSpec();
        if (spec.usageMessage().hidden()) {
            return Stream.empty();
        }
        ManualPage page = new ManualPage(pageName(spec), new Writer(spec, version).write());
        return Stream.concat(
                Stream.of(page), subcommands(spec).values().stream().flatMap(each -> of(each, version)));
    }

    private static String pageName(CommandSpec spec) {
        return spec.qualifiedName("-");
    }

    private static Map<String, CommandLine> subcommands(CommandSpec spec) {
        return spec.subcommands();
    }

    /** Writes one page. */
    private static final class Writer {
        private final CommandSpec spec;
        private final String version;
        private final Roff page = new Roff();

        private Writer(CommandSpec spec, String version) {
            this.spec = spec;
            this.version = version;
        }

        private String write() {
            String name = pageName(spec);
            page.request(
                    "TH",
                    name.toUpperCase(Locale.ROOT),
                    Integer.toString(SECTION),
                    "",
                    "srpt " + version,
                    "SRP target");
            page.request("SH", "NAME");
            page.text(name + " - " + summary(spec));
            page.request("SH", "SYNOPSIS");
            page.request("nf");
            spec.commandLine().getHelp().synopsis(0).lines().forEach(page::text);
            page.request("fi");
            page.request("SH", "DESCRIPTION");
            for (String paragraph : spec.usageMessage().description()) {
                page.request("PP");
                page.text(format(paragraph));
            }
            section("ARGUMENTS", spec.positionalParameters(), this::positional);
            section(
                    "OPTIONS",
                    spec.options().stream().filter(each -> !each.hidden()).toList(),
                    this::option);
            section(
                    "COMMANDS",
                    subcommands(spec).values().stream()
                            .map(CommandLine::getCommandSpec)
                            .filter(each -> !each.usageMessage().hidden())
                            .toList(),
                    this::command);
            section(
                    "EXIT STATUS",
                    List.copyOf(spec.usageMessage().exitCodeList().entrySet()),
                    (code, to) ->
                            to.accept(Roff.bold(String.valueOf(code.getKey())), List.of(format(code.getValue()))));
            seeAlso();
            return page.toString();
        }

        private void positional(ArgSpec argument, BiConsumer<String, List<String>> to) {
            to.accept(
                    Roff.variable(argument.paramLabel()),
                    Stream.of(argument.description()).map(Writer::format).toList());
        }

        private void option(OptionSpec option, BiConsumer<String, List<String>> to) {
            String names =
                    String.join(", ", Stream.of(option.names()).map(Roff::bold).toList());
            String value = option.arity().max() == 0 ? "" : "=" + Roff.variable(option.paramLabel());
            to.accept(
                    names + value,
                    Stream.of(option.description()).map(Writer::format).toList());
        }

        private void command(CommandSpec command, BiConsumer<String, List<String>> to) {
            to.accept(reference(command), List.of(summary(command)));
        }

        private <T> void section(String title, List<T> entries, BiConsumer<T, BiConsumer<String, List<String>>> entry) {
            if (!entries.isEmpty()) {
                page.request("SH", title);
                entries.forEach(each -> entry.accept(each, (term, paragraphs) -> {
                    page.request("TP");
                    page.line(term);
                    paragraphs.forEach(page::text);
                }));
            }
        }

        private void seeAlso() {
            List<String> others = Stream.concat(
                            Stream.ofNullable(spec.parent()),
                            spec.parent() == null ? Stream.empty() : siblings(spec.parent()))
                    .filter(each -> each != spec && !each.usageMessage().hidden())
                    .map(Writer::reference)
                    .toList();
            if (!others.isEmpty()) {
                page.request("SH", "SEE ALSO");
                page.line(String.join(", ", others));
            }
        }

        private static Stream<CommandSpec> siblings(CommandSpec parent) {
            return subcommands(parent).values().stream().map(CommandLine::getCommandSpec);
        }

        private static String reference(CommandSpec command) {
            return Roff.bold(pageName(command)) + "(" + SECTION + ")";
        }

        /** The first sentence of the description, without its full stop. */
        private static String summary(CommandSpec command) {
            String[] description = command.usageMessage().description();
            String all = description.length == 0 ? command.name() : format(description[0]);
            int end = all.indexOf(". ");
            String first = end < 0 ? all : all.substring(0, end);
            return first.endsWith(".") ? first.substring(0, first.length() - 1) : first;
        }

        /** picocli prints descriptions as formats, those that are none as they are. */
        private static String format(String description) {
            try {
                return Help.Ansi.OFF.string(String.format(description));
            } catch (IllegalFormatException e) {
                return Help.Ansi.OFF.string(description);
            }
        }
    }
}
