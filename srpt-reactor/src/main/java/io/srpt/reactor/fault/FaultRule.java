package io.srpt.reactor.fault;

import io.srpt.mad.MadReplyFault;
import io.srpt.target.CommandFault;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.util.function.Tuple2;

/**
 * One fault in words, such as {@code command=READ_10,every=200,delay=3s}: which commands or replies it looks at, to which of
 * these something happens, and what. {@link FaultRuleParser} says what can be written.
 */
public final class FaultRule {
    private final String text;
    private final Predicate<InjectableCommand> commands;
    private final Predicate<InjectableReply> replies;
    private final Occurrence occurrence;
    private final @Nullable CommandFault commandFault;
    private final @Nullable MadReplyFault replyFault;

    /**
     * Of the things that match, those that it happens to: all, only number {@code nth} (from 1), all from number {@code from}
     * on, or every {@code every}-th.
     *
     * @param nth 0 for not given
     * @param every 0 for not given
     * @param from 0 for not given
     */
    record Occurrence(long nth, long every, long from) {
        <T> Flux<T> of(Flux<T> matching) {
            if (nth > 0) {
                return matching.skip(nth - 1).take(1);
            }
            if (from > 0) {
                return matching.skip(from - 1);
            }
            return every <= 1
                    ? matching
                    : matching.index()
                            .filter(numbered -> (numbered.getT1() + 1) % every == 0)
                            .map(Tuple2::getT2);
        }
    }

    private FaultRule(
            String text,
            Predicate<InjectableCommand> commands,
            Predicate<InjectableReply> replies,
            Occurrence occurrence,
            @Nullable CommandFault commandFault,
            @Nullable MadReplyFault replyFault) {
        this.text = text;
        this.commands = commands;
        this.replies = replies;
        this.occurrence = occurrence;
        this.commandFault = commandFault;
        this.replyFault = replyFault;
    }

    static FaultRule ofCommands(
            String text, Predicate<InjectableCommand> matching, Occurrence occurrence, CommandFault fault) {
        return new FaultRule(text, matching, reply -> false, occurrence, fault, null);
    }

    static FaultRule ofReplies(
            String text, Predicate<InjectableReply> matching, Occurrence occurrence, MadReplyFault fault) {
        return new FaultRule(text, command -> false, matching, occurrence, null, fault);
    }

    /**
     * Reads a rule.
     *
     * @throws IllegalArgumentException with a message for whoever wrote it
     */
    public static FaultRule parse(String text) {
        return new FaultRuleParser(text).parse();
    }

    void addTo(FaultInjection.Builder builder) {
        CommandFault onCommand = commandFault;
        if (onCommand != null) {
            builder.commands(flux -> occurrence.of(flux.filter(commands)).map(command -> command.inject(onCommand)));
        }
        MadReplyFault onReply = replyFault;
        if (onReply != null) {
            builder.replies(flux -> occurrence.of(flux.filter(replies)).map(reply -> reply.inject(onReply)));
        }
    }

    /** As it was written. */
    @Override
    public String toString() {
        return text;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FaultRule rule && text.equals(rule.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
