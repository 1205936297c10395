package io.srpt.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Commands that a document or a file for deployment shows, found in its text, and given to the command line. */
final class ShownCommands {
    /** For names only: what a command line has parsed stays in it. */
    private static final CommandLine NAMES = all();

    /** {@code srpt}, or {@code java -jar …/srpt.jar}, and a subcommand; then the rest of the line. */
    private static final Pattern COMMAND = Pattern.compile("(?:^|\\s|/)srpt(?:\\.jar\\)?)? ((?:"
            + String.join("|", NAMES.getSubcommands().keySet()) + ")\\b.*)");

    private static final Pattern FENCE = Pattern.compile("(?ms)^```sh\\n(.*?)^```");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern WORD = Pattern.compile("(?:[^\\s'\"\\\\]|'[^']*'|\"[^\"]*\"|\\\\.)+");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z-]+");

    private ShownCommands() {}

    private static CommandLine all() {
        CommandContext nowhere = new CommandContext(
                (loop, addresses, extras) -> {
                    throw new ServiceException("there is no device in this test");
                },
                Map.of(),
                Path.of("/home/of-nobody"),
                () -> 1,
                Runnable::run);
        return SrptCommand.commandLine(nowhere);
    }

    /** Those in a text of shell commands, each as its words without {@code srpt}. */
    static List<List<String>> in(String shell) {
        List<List<String>> commands = new ArrayList<>();
        for (String line : shell.replaceAll("\\\\\\n\\s*", "").lines().toList()) {
            Matcher command = COMMAND.matcher(line);
            if (command.find()) {
                commands.add(words(command.group(1)));
            }
        }
        return commands;
    }

    /** Those in the shell examples of a Markdown document. */
    static List<List<String>> inFences(Path markdown) throws IOException {
        List<List<String>> commands = new ArrayList<>();
        for (Matcher fence = FENCE.matcher(Files.readString(markdown)); fence.find(); ) {
            commands.addAll(in(fence.group(1).replaceAll("(?m)\\s#.*$", "")));
        }
        return commands;
    }

    /** Up to the first word that ends a command: a comment, a pipe, a redirection, the background. */
    private static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        for (Matcher word = WORD.matcher(text); word.find(); ) {
            if (word.group().matches("[#&|>;].*|…")) {
                break;
            }
            words.add(word.group().replaceAll("['\"]", ""));
        }
        return words;
    }

    /** The command line takes these words; what {@code serve} is told is a configuration. */
    static void assertTaken(List<String> words, Map<String, String> environment) throws Exception {
        ParseResult parsed = parse(words);
        ParseResult last = parsed;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        if (last.isUsageHelpRequested()) {
            return;
        }
        assertThat(last.commandSpec().subcommands()).as("%s: all of it", words).isEmpty();
        if (words.getFirst().equals("serve") && !words.contains("--config")) {
            configuration(words, environment);
        }
    }

    /** What {@code serve} is told by these words and the environment; no hardware is asked for its addresses. */
    static ServeConfiguration configuration(List<String> words, Map<String, String> environment) throws Exception {
        List<String> all = new ArrayList<>(words);
        if (!all.contains("--listen")) {
            all.addAll(List.of("--listen", "127.0.0.1"));
        }
        CommandContext context = new CommandContext(
                (loop, addresses, extras) -> {
                    throw new ServiceException("there is no device in this test");
                },
                environment,
                Path.of("/home/of-nobody"),
                () -> 1,
                Runnable::run);
        ParseResult serve = SrptCommand.commandLine(context)
                .parseArgs(all.toArray(String[]::new))
                .subcommand();
        return ((ServeCommand) serve.commandSpec().userObject()).source().read().configuration();
    }

    private static ParseResult parse(List<String> words) {
        try {
            return all().parseArgs(words.toArray(String[]::new));
        } catch (CommandLine.ParameterException e) {
            throw new AssertionError("srpt " + String.join(" ", words) + ": " + e.getMessage(), e);
        }
    }

    /** Commands and options that the prose of a Markdown document names do exist; answers how many it names. */
    static int assertNamesExist(Path markdown) throws IOException {
        int found = 0;
        for (String cell : Files.readString(markdown).split("\\n|\\| ", -1)) {
            String group = "";
            for (Matcher code = CODE.matcher(cell); code.find(); ) {
                String said = code.group(1).startsWith("srpt ") ? code.group(1) : group + code.group(1);
                List<String> words = List.of(said.strip().split("\\s+"));
                List<String> command = words.getFirst().equals("srpt") ? words.subList(1, words.size()) : words;
                CommandLine named =
                        command.isEmpty() ? null : NAMES.getSubcommands().get(command.getFirst());
                if (named != null && command.size() > 1) {
                    found += assertExist(code.group(), command, named);
                    group = named.getSubcommands().isEmpty() || command == words
                            ? group
                            : "srpt " + command.getFirst() + " ";
                } else if (words.getFirst().startsWith("--")) {
                    assertThat(anyHas(words.getFirst())).as(code.group()).isTrue();
                    found++;
                }
            }
        }
        return found;
    }

    private static int assertExist(String shown, List<String> command, CommandLine named) {
        CommandLine last = named;
        if (!named.getSubcommands().isEmpty()) {
            assertThat(named.getSubcommands()).as(shown).containsKey(command.get(1));
            last = named.getSubcommands().get(command.get(1));
        }
        for (Matcher option = OPTION.matcher(String.join(" ", command)); option.find(); ) {
            assertThat(last.getCommandSpec().findOption(option.group()))
                    .as(shown)
                    .isNotNull();
        }
        return 1;
    }

    private static boolean anyHas(String option) {
        return NAMES.getSubcommands().values().stream()
                .flatMap(command -> Stream.concat(Stream.of(command), command.getSubcommands().values().stream()))
                .anyMatch(command -> command.getCommandSpec().findOption(option) != null);
    }
}
