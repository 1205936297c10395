package io.srpt.reactor.fault;

import io.srpt.mad.MadReplyFault;
import io.srpt.scsi.ScsiStatus;
import io.srpt.target.CommandFault;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link FaultRule}: words with commas between.
 *
 * <pre>
 *   of what        command=READ_10 | command=0xA8 | command=any     commands; any of them unless given
 *                  lba=N                                            that touch this block
 *                  channel=N                                        of this channel, as the log numbers them
 *                  mad                                              replies to management datagrams instead
 *                  attribute=0x11                                   with this attribute
 *   which          nth=N | every=N | from=N                             all that match unless given
 *   what           delay=3s | drop | sense=3/11/00 | status=BUSY | kill;  of replies delay or drop
 * </pre>
 */
final class FaultRuleParser {
    private static final List<String> FLAGS = List.of("mad", "drop", "kill");
    private static final List<String> KEYS =
            List.of("command", "lba", "channel", "attribute", "nth", "every", "from", "delay", "sense", "status");
    private static final List<String> ACTIONS = List.of("delay", "drop", "sense", "status", "kill");
    private static final List<String> OCCURRENCES = List.of("nth", "every", "from");
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})(us|ms|s|m)");
    private static final Pattern SENSE = Pattern.compile("([0-9a-fA-F])/([0-9a-fA-F]{1,2})/([0-9a-fA-F]{1,2})");
    private static final int MAX_CODE = 0xFF;
    private static final int MAX_ATTRIBUTE = 0xFFFF;

    private final String text;
    private final Map<String, String> said = new LinkedHashMap<>();

    FaultRuleParser(String text) {
        this.text = text;
    }

    FaultRule parse() {
        for (String word : text.split(",", -1)) {
            read(word.strip());
        }
        List<String> actions = ACTIONS.stream().filter(said::containsKey).toList();
        if (actions.size() != 1) {
            throw wrong(
                    actions.isEmpty()
                            ? "it does not say what is to happen; add one of delay=TIME, drop, sense=K/ASC/ASCQ, status=NAME,"
                                    + " kill"
                            : String.join(" and ", actions) + " exclude each other");
        }
        List<String> occurrences =
                OCCURRENCES.stream().filter(said::containsKey).toList();
        if (occurrences.size() > 1) {
            throw wrong(String.join(" and ", occurrences) + " exclude each other");
        }
        FaultRule.Occurrence occurrence = new FaultRule.Occurrence(
                number("nth", Long.MAX_VALUE), number("every", Long.MAX_VALUE), number("from", Long.MAX_VALUE));
        return said.containsKey("mad") ? ofReplies(occurrence) : ofCommands(occurrence);
    }

    private void read(String word) {
        int equals = word.indexOf('=');
        String key = equals < 0 ? word : word.substring(0, equals).strip();
        if (!(equals < 0 ? FLAGS : KEYS).contains(key)) {
            throw wrong(unknown(word, key, equals >= 0));
        }
        if (said.put(key, equals < 0 ? "" : word.substring(equals + 1).strip()) != null) {
            throw wrong(key + " is given twice");
        }
    }

    private static String unknown(String word, String key, boolean withValue) {
        if (FLAGS.contains(key)) {
            return key + " takes no value";
        }
        if (KEYS.contains(key) && !withValue) {
            return key + " needs a value: " + key + "=…";
        }
        return "'" + word + "' is none of " + String.join("=, ", KEYS) + "=, " + String.join(", ", FLAGS);
    }

    private FaultRule ofCommands(FaultRule.Occurrence occurrence) {
        if (said.containsKey("attribute")) {
            throw wrong("commands have no attribute; add mad for management replies");
        }
        Predicate<InjectableCommand> matching = command -> true;
        String name = said.get("command");
        if (name != null && !name.equalsIgnoreCase("any")) {
            int code = operationCode(name);
            matching = command -> command.operationCode() == code;
        }
        if (said.containsKey("lba")) {
            long block = unsigned("lba", Long.MAX_VALUE);
            matching = matching.and(command -> command.touches(block));
        }
        if (said.containsKey("channel")) {
            long channel = unsigned("channel", Integer.MAX_VALUE);
            matching = matching.and(command -> command.channel() == channel);
        }
        return FaultRule.ofCommands(text, matching, occurrence, commandFault());
    }

    private FaultRule ofReplies(FaultRule.Occurrence occurrence) {
        for (String key : List.of("command", "lba", "channel", "sense", "status", "kill")) {
            if (said.containsKey(key)) {
                throw wrong(key + " is for commands, and mad for management replies: not both in one rule");
            }
        }
        Predicate<InjectableReply> matching = reply -> true;
        if (said.containsKey("attribute")) {
            long attribute = unsigned("attribute", MAX_ATTRIBUTE);
            matching = reply -> reply.reply().attributeId() == attribute;
        }
        return FaultRule.ofReplies(
                text,
                matching,
                occurrence,
                said.containsKey("drop") ? MadReplyFault.DROP : MadReplyFault.delay(time()));
    }

    private CommandFault commandFault() {
        if (said.containsKey("drop")) {
            return CommandFault.DROP;
        } else if (said.containsKey("kill")) {
            return CommandFault.KILL_CHANNEL;
        } else if (said.containsKey("delay")) {
            return CommandFault.delay(time());
        }
        String sense = said.get("sense");
        return sense == null ? CommandFault.fail(status()) : sense(sense);
    }

    private CommandFault sense(String value) {
        Matcher matcher = SENSE.matcher(value);
        if (!matcher.matches()) {
            throw wrong(
                    "'" + value + "' is no sense; write key, code and qualifier in hexadecimal, such as sense=3/11/00");
        }
        return CommandFault.checkCondition(hex(matcher, 1), hex(matcher, 2), hex(matcher, 3));
    }

    private static int hex(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group), 16);
    }

    private ScsiStatus status() {
        String value = said.getOrDefault("status", "");
        return Arrays.stream(ScsiStatus.values())
                .filter(each -> each != ScsiStatus.GOOD && each.name().equalsIgnoreCase(value))
                .findFirst()
                .orElseThrow(() -> wrong("'" + value + "' is no status to fail with; one of "
                        + String.join(
                                ", ",
                                Arrays.stream(ScsiStatus.values())
                                        .filter(each -> each != ScsiStatus.GOOD)
                                        .map(Enum::name)
                                        .toList())));
    }

    private Duration time() {
        String value = said.getOrDefault("delay", "");
        Matcher matcher = TIME.matcher(value);
        if (!matcher.matches()) {
            throw wrong("'" + value + "' is no time; write such as delay=500us, delay=20ms, delay=3s or delay=2m");
        }
        long count = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "us" -> Duration.ofNanos(Math.multiplyExact(count, 1000L));
            case "ms" -> Duration.ofMillis(count);
            case "s" -> Duration.ofSeconds(count);
            default -> Duration.ofMinutes(count);
        };
    }

    private int operationCode(String name) {
        OperationCode known = OperationCode.named(name);
        if (known != null) {
            return known.code();
        }
        Long code = decode(name);
        if (code == null || code < 0 || code > MAX_CODE) {
            throw wrong("'" + name
                    + "' is no command; write any, a name such as READ_10, or an operation code such as 0x28."
                    + " Names: "
                    + String.join(
                            ", ",
                            Arrays.stream(OperationCode.values())
                                    .map(Enum::name)
                                    .toList()));
        }
        return code.intValue();
    }

    /** A count from 1 on; 0 if it is not given. */
    private long number(String key, long max) {
        if (!said.containsKey(key)) {
            return 0;
        }
        long value = unsigned(key, max);
        if (value == 0) {
            throw wrong(key + " counts from 1");
        }
        return value;
    }

    private long unsigned(String key, long max) {
        String value = said.getOrDefault(key, "");
        Long number = decode(value);
        if (number == null || number < 0 || number > max) {
            throw wrong(key + " '" + value + "' is no whole number"
                    + (max == Long.MAX_VALUE ? "" : " up to 0x" + Long.toHexString(max)));
        }
        return number;
    }

    private static @Nullable Long decode(String value) {
        try {
            return Long.decode(value.toLowerCase(Locale.ROOT));
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private IllegalArgumentException wrong(String problem) {
        return new IllegalArgumentException("'" + text + "': " + problem);
    }
}
