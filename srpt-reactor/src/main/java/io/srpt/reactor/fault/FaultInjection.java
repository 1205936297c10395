package io.srpt.reactor.fault;

import io.srpt.mad.MadPort;
import io.srpt.mad.MadReply;
import io.srpt.mad.MadReplyFault;
import io.srpt.target.ArrivedCommand;
import io.srpt.target.CommandFault;
import io.srpt.target.SrptPort;
import io.srpt.verbs.RdmaLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Makes commands and management replies go wrong, as pipelines of operators decide. Of 200 READs one takes three seconds:
 *
 * <pre>{@code
 *   FaultInjection faults = FaultInjection.builder()
 *           .commands(commands -> commands.filter(command -> command.is(READ_10))
 *                   .index()
 *                   .filter(numbered -> numbered.getT1() % 200 == 199)
 *                   .map(numbered -> numbered.getT2().delay(Duration.ofSeconds(3))))
 *           .build();
 * }</pre>
 *
 * <p>A pipeline sees each command whose unit is valid, in the order of arrival over all channels of all ports, before anything
 * is done for it, and each reply to a management datagram. What it emits <em>before it returns</em>, on the loop, about that
 * command is done; if it emits nothing the command passes. So use synchronous operators ({@code filter}, {@code map},
 * {@code index}, {@code skip}, {@code take}, {@code scan}, {@code handle}, {@code window} by count, …): what comes later
 * ({@code delayElements}, {@code publishOn}) is ignored and counted ({@link #lateDecisions}). To wait inside a pipeline would
 * stop the loop; {@code delay} of a command does not.
 *
 * <p>All pipelines see all commands; the first one that decides counts. A pipeline that completes, as after {@code take(1)},
 * decides nothing any more. One that throws is counted ({@link #pipelineErrors}), logged once, and begins anew with the next
 * command, with its operators' state as at the beginning; the command at which it threw passes.
 *
 * <p>Cost: a port without fault injection asks nobody and allocates nothing; with it every command is copied.
 *
 * <p>Threads: pipelines run on the loop of the ports; all methods here from anywhere.
 */
public final class FaultInjection {
    private final List<Pipeline<InjectableCommand, CommandInjection>> commands = new ArrayList<>();
    private final List<Pipeline<InjectableReply, ReplyInjection>> replies = new ArrayList<>();
    private final InjectionCounts counts = new InjectionCounts();
    private final AtomicReference<@Nullable RdmaLoop> loop = new AtomicReference<>();

    private FaultInjection(Builder builder) {
        builder.commands.forEach(
                operators -> commands.add(new Pipeline<>(operators, CommandInjection::command, counts)));
        builder.replies.forEach(operators -> replies.add(new Pipeline<>(operators, ReplyInjection::reply, counts)));
    }

    /** Collects pipelines. */
    public static Builder builder() {
        return new Builder();
    }

    /** One with a pipeline for commands only. */
    public static FaultInjection commands(
            Function<? super Flux<InjectableCommand>, ? extends Publisher<CommandInjection>> operators) {
        return builder().commands(operators).build();
    }

    /** One that does what rules say. */
    public static FaultInjection ofRules(List<FaultRule> rules) {
        Builder builder = builder();
        rules.forEach(builder::rule);
        return builder.build();
    }

    /**
     * Begins with the commands that come to {@code port} from now on, and with the replies that it sends. It takes the place of
     * what was installed there before.
     *
     * @throws IllegalArgumentException if it is installed on a port of another loop
     */
    public CompletableFuture<Void> install(SrptPort port) {
        RdmaLoop of = port.rdmaPort().loop();
        if (!loop.compareAndSet(null, of) && loop.get() != of) {
            throw new IllegalArgumentException("all ports of a fault injection run on one loop");
        }
        return CompletableFuture.runAsync(
                () -> {
                    if (!commands.isEmpty()) {
                        port.commandInterceptor(this::decide);
                    }
                    if (!replies.isEmpty() && port.rdmaPort() instanceof MadPort mads) {
                        mads.mads().replyInterceptor(this::decide);
                    }
                },
                of);
    }

    /** Ends what {@link #install} began. Commands that are held stay so until their time is over or they are aborted. */
    public CompletableFuture<Void> remove(SrptPort port) {
        return CompletableFuture.runAsync(
                () -> {
                    port.commandInterceptor(null);
                    if (port.rdmaPort() instanceof MadPort mads) {
                        mads.mads().replyInterceptor(null);
                    }
                },
                port.rdmaPort().loop());
    }

    /** Commands and replies to which something happened. */
    public long injected() {
        return counts.injectedTotal();
    }

    /** Decisions that came too late, or from another thread, and were ignored. */
    public long lateDecisions() {
        return counts.lateTotal();
    }

    /** How often a pipeline threw. */
    public long pipelineErrors() {
        return counts.errorTotal();
    }

    CommandFault decide(ArrivedCommand arrived) {
        InjectableCommand command = new InjectableCommand(arrived);
        CommandInjection first = firstDecision(commands, command);
        CommandFault fault = first == null ? CommandFault.PASS : first.fault();
        if (!(fault instanceof CommandFault.Pass)) {
            counts.injected();
        }
        return fault;
    }

    MadReplyFault decide(MadReply due) {
        InjectableReply reply = new InjectableReply(due);
        ReplyInjection first = firstDecision(replies, reply);
        MadReplyFault fault = first == null ? MadReplyFault.PASS : first.fault();
        if (fault.kind() != MadReplyFault.Kind.PASS) {
            counts.injected();
        }
        return fault;
    }

    private static <T, D> @Nullable D firstDecision(List<Pipeline<T, D>> pipelines, T item) {
        D first = null;
        for (Pipeline<T, D> pipeline : pipelines) {
            D decision = pipeline.evaluate(item);
            if (first == null) {
                first = decision;
            }
        }
        return first;
    }

    /** Collects pipelines; earlier ones win over later ones. */
    public static final class Builder {
        private final List<Function<? super Flux<InjectableCommand>, ? extends Publisher<CommandInjection>>> commands =
                new ArrayList<>();
        private final List<Function<? super Flux<InjectableReply>, ? extends Publisher<ReplyInjection>>> replies =
                new ArrayList<>();

        private Builder() {}

        /** Adds operators on the stream of commands. */
        public Builder commands(
                Function<? super Flux<InjectableCommand>, ? extends Publisher<CommandInjection>> operators) {
            commands.add(operators);
            return this;
        }

        /** Adds operators on the stream of replies to management datagrams. */
        public Builder replies(Function<? super Flux<InjectableReply>, ? extends Publisher<ReplyInjection>> operators) {
            replies.add(operators);
            return this;
        }

        /** Adds what a rule says. */
        public Builder rule(FaultRule rule) {
            rule.addTo(this);
            return this;
        }

        public FaultInjection build() {
            return new FaultInjection(this);
        }
    }
}
