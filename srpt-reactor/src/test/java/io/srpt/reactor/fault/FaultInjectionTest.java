package io.srpt.reactor.fault;

import static io.srpt.reactor.fault.OperationCode.READ_10;
import static org.assertj.core.api.Assertions.assertThat;

import io.srpt.mad.MadAddress;
import io.srpt.mad.MadReply;
import io.srpt.mad.MadReplyFault;
import io.srpt.scsi.ScsiStatus;
import io.srpt.target.CommandFault;
import io.srpt.verbs.Gid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class FaultInjectionTest {
    private static final CommandFault DELAY = CommandFault.delay(Duration.ofSeconds(3));

    private static List<CommandFault> decisions(FaultInjection faults, int count) {
        List<CommandFault> decided = new ArrayList<>();
        for (int tag = 0; tag < count; tag++) {
            decided.add(faults.decide(Arrival.of(tag, Arrival.READ_10)));
        }
        return decided;
    }

    @Test
    void operatorsChooseWhatIsDelayed() {
        FaultInjection faults = FaultInjection.commands(commands -> commands.filter(command -> command.is(READ_10))
                .index()
                .filter(numbered -> numbered.getT1() % 200 == 199)
                .map(numbered -> numbered.getT2().delay(Duration.ofSeconds(3))));

        List<CommandFault> decided = new ArrayList<>();
        for (int tag = 0; tag < 400; tag++) {
            decided.add(faults.decide(Arrival.of(tag, Arrival.READ_10)));
            assertThat(faults.decide(Arrival.of(tag, Arrival.WRITE_10))).isEqualTo(CommandFault.PASS);
        }

        assertThat(decided.get(199)).isEqualTo(DELAY);
        assertThat(decided.get(399)).isEqualTo(DELAY);
        assertThat(decided)
                .filteredOn(fault -> !fault.equals(CommandFault.PASS))
                .hasSize(2);
        assertThat(faults.injected()).isEqualTo(2);
    }

    @Test
    void theFirstPipelineThatDecidesCountsAndAllSeeEverything() {
        AtomicInteger seen = new AtomicInteger();
        FaultInjection faults = FaultInjection.builder()
                .commands(commands ->
                        commands.filter(command -> command.tag() == 1).map(InjectableCommand::pass))
                .commands(commands ->
                        commands.filter(command -> command.tag() <= 2).map(InjectableCommand::drop))
                .commands(commands -> commands.doOnNext(command -> seen.incrementAndGet())
                        .map(command -> command.fail(ScsiStatus.BUSY)))
                .build();

        assertThat(decisions(faults, 4))
                .containsExactly(
                        CommandFault.DROP, CommandFault.PASS, CommandFault.DROP, CommandFault.fail(ScsiStatus.BUSY));
        assertThat(seen).hasValue(4);
        assertThat(faults.injected()).isEqualTo(3);
    }

    @Test
    void aPipelineThatCompletesDecidesNothingAnyMore() {
        FaultInjection faults =
                FaultInjection.commands(commands -> commands.take(2).map(InjectableCommand::killChannel));

        assertThat(decisions(faults, 4))
                .containsExactly(
                        CommandFault.KILL_CHANNEL, CommandFault.KILL_CHANNEL, CommandFault.PASS, CommandFault.PASS);
        assertThat(faults.pipelineErrors()).isZero();
    }

    @Test
    void aPipelineThatThrowsIsCountedAndBeginsAnewAndTheCommandPasses() {
        FaultInjection faults =
                FaultInjection.commands(commands -> commands.index().map(numbered -> {
                    if (numbered.getT2().tag() == 2) {
                        throw new IllegalStateException("pipeline of the test");
                    }
                    return numbered.getT1() == 0
                            ? numbered.getT2().drop()
                            : numbered.getT2().pass();
                }));

        assertThat(decisions(faults, 5))
                .as("the index begins at 0 again")
                .containsExactly(
                        CommandFault.DROP, CommandFault.PASS, CommandFault.PASS, CommandFault.DROP, CommandFault.PASS);
        assertThat(faults.pipelineErrors()).isEqualTo(1);
    }

    @Test
    void aPipelineThatThrowsAfterItsDecisionPassesTheCommand() {
        FaultInjection faults = FaultInjection.commands(commands -> commands.concatMap(
                command -> Flux.concat(Mono.just(command.drop()), Mono.error(new IllegalStateException("after")))));

        assertThat(decisions(faults, 2)).containsExactly(CommandFault.PASS, CommandFault.PASS);
        assertThat(faults.pipelineErrors()).isEqualTo(2);
    }

    @Test
    void pipelinesThatCannotBeConnectedEndAtOnce() {
        FaultInjection faults = FaultInjection.builder()
                .commands(commands -> Flux.error(new IllegalStateException("no pipeline")))
                .commands(commands -> {
                    throw new IllegalStateException("no pipeline either");
                })
                .commands(commands -> commands.map(InjectableCommand::drop))
                .build();

        assertThat(decisions(faults, 3)).containsOnly(CommandFault.DROP);
        assertThat(faults.pipelineErrors()).isEqualTo(2);
    }

    @Test
    void decisionsThatComeLaterAreIgnoredAndCounted() {
        FaultInjection faults = FaultInjection.builder()
                .commands(commands ->
                        commands.buffer(2).map(pair -> pair.getFirst().drop()))
                .commands(commands -> commands.flatMap(command -> Flux.just(command.drop(), command.pass())))
                .build();

        assertThat(decisions(faults, 2)).containsExactly(CommandFault.DROP, CommandFault.DROP);
        assertThat(faults.lateDecisions()).as("the first of each pair").isEqualTo(1);
    }

    @Test
    void decisionsFromOtherThreadsAreIgnoredAndCounted() throws InterruptedException {
        Sinks.Many<InjectableCommand> elsewhere = Sinks.many().unicast().onBackpressureBuffer();
        FaultInjection faults = FaultInjection.commands(commands -> {
            commands.subscribe(elsewhere::tryEmitNext);
            return Flux.<CommandInjection>create(sink ->
                    elsewhere.asFlux().subscribe(command -> onThread(() -> sink.next(command.drop()))));
        });

        assertThat(decisions(faults, 3)).containsOnly(CommandFault.PASS);
        assertThat(faults.lateDecisions()).isEqualTo(3);
    }

    private static void onThread(Runnable task) {
        Thread thread = Thread.ofPlatform().start(task);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aPipelineThatRequestsNothingPassesAll() {
        FaultInjection faults = FaultInjection.commands(commands -> Flux.never());

        assertThat(decisions(faults, 1000)).containsOnly(CommandFault.PASS);
    }

    @Test
    void repliesAreDroppedAndDelayed() {
        FaultInjection faults = FaultInjection.builder()
                .replies(replies -> replies.filter(reply -> reply.reply().attributeId() == 0x10)
                        .map(InjectableReply::drop))
                .replies(replies -> replies.skip(1).map(reply -> reply.delay(Duration.ofMillis(5))))
                .build();

        assertThat(faults.decide(reply(0x11))).isEqualTo(MadReplyFault.PASS);
        assertThat(faults.decide(reply(0x10))).isEqualTo(MadReplyFault.DROP);
        assertThat(faults.decide(reply(0x11))).isEqualTo(MadReplyFault.delay(Duration.ofMillis(5)));
        assertThat(faults.injected()).isEqualTo(2);
    }

    static MadReply reply(int attribute) {
        return new MadReply(
                "fake0/1", 6, 0x81, attribute, 0, 0, 7, MadAddress.generalServices(0, Gid.parse("192.0.2.2")));
    }
}
