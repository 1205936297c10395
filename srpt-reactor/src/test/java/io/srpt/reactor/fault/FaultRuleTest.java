package io.srpt.reactor.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.srpt.mad.MadReplyFault;
import io.srpt.scsi.ScsiStatus;
import io.srpt.target.CommandFault;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultRuleTest {
    private static FaultInjection rules(String... rules) {
        return FaultInjection.ofRules(Arrays.stream(rules).map(FaultRule::parse).toList());
    }

    private static CommandFault one(String rule, String cdb) {
        return rules(rule).decide(Arrival.of(0, cdb));
    }

    /** Which of {@code count} READs something happens to. */
    private static List<Integer> hit(FaultInjection faults, int count) {
        return IntStream.range(0, count)
                .filter(tag -> faults.decide(Arrival.of(tag, Arrival.READ_10)) != CommandFault.PASS)
                .boxed()
                .toList();
    }

    @Test
    void readsWhatHappens() {
        assertThat(one("delay=3s", Arrival.READ_10)).isEqualTo(CommandFault.delay(Duration.ofSeconds(3)));
        assertThat(one("delay=20ms", Arrival.READ_10)).isEqualTo(CommandFault.delay(Duration.ofMillis(20)));
        assertThat(one("delay=5us", Arrival.READ_10)).isEqualTo(CommandFault.delay(Duration.ofNanos(5000)));
        assertThat(one("delay=2m", Arrival.READ_10)).isEqualTo(CommandFault.delay(Duration.ofMinutes(2)));
        assertThat(one("drop", Arrival.READ_10)).isEqualTo(CommandFault.DROP);
        assertThat(one("kill", Arrival.READ_10)).isEqualTo(CommandFault.KILL_CHANNEL);
        assertThat(one("sense=b/4E/0", Arrival.READ_10)).isEqualTo(CommandFault.checkCondition(0xB, 0x4E, 0));
        assertThat(one("status=busy", Arrival.READ_10)).isEqualTo(CommandFault.fail(ScsiStatus.BUSY));
    }

    @Test
    void readsOfWhat() {
        assertThat(one("command=READ_10,drop", Arrival.READ_10)).isEqualTo(CommandFault.DROP);
        assertThat(one("command=read_10, drop", Arrival.READ_10)).isEqualTo(CommandFault.DROP);
        assertThat(one("command=READ_10,drop", Arrival.WRITE_10)).isEqualTo(CommandFault.PASS);
        assertThat(one("command=0x2A,drop", Arrival.WRITE_10)).isEqualTo(CommandFault.DROP);
        assertThat(one("command=any,drop", "ff")).isEqualTo(CommandFault.DROP);
    }

    @ParameterizedTest
    @CsvSource({
        "28 00 000003e8 00 0001 00, true",
        "28 00 000003e7 00 0002 00, true",
        "28 00 000003e7 00 0001 00, false",
        "28 00 000003e9 00 0100 00, false",
        "2a 00 000003e0 00 0010 00, true",
        "08 00 03e8 01 00, true",
        "0a 00 0300 00 00, true",
        "88 00 00000000000003e8 00000001 00 00, true",
        "8a 00 0000000100000000 00000100 00 00, false",
        "a8 00 000003e8 00000001 00 00, true",
        "12 00 00 00 ff 00, false"
    })
    void knowsWhichCommandsTouchABlock(String cdb, boolean touched) {
        assertThat(one("lba=1000,drop", cdb).equals(CommandFault.DROP)).isEqualTo(touched);
    }

    @Test
    void readsWhichOnes() {
        assertThat(hit(rules("drop"), 3)).containsExactly(0, 1, 2);
        assertThat(hit(rules("nth=3,drop"), 10)).containsExactly(2);
        assertThat(hit(rules("every=3,drop"), 10)).containsExactly(2, 5, 8);
        assertThat(hit(rules("nth=2,drop", "every=5,kill"), 10)).containsExactly(1, 4, 9);
        assertThat(hit(rules("command=WRITE_10,nth=1,drop"), 10)).isEmpty();
    }

    @Test
    void readsRulesForReplies() {
        FaultInjection faults = rules("mad,attribute=0x11,nth=2,drop", "mad,every=3,delay=1s");

        assertThat(faults.decide(FaultInjectionTest.reply(0x11))).isEqualTo(MadReplyFault.PASS);
        assertThat(faults.decide(FaultInjectionTest.reply(0x11))).isEqualTo(MadReplyFault.DROP);
        assertThat(faults.decide(FaultInjectionTest.reply(0x11))).isEqualTo(MadReplyFault.delay(Duration.ofSeconds(1)));
        assertThat(faults.decide(Arrival.of(1, Arrival.READ_10))).isEqualTo(CommandFault.PASS);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\"|is none of command=, lba=, channel=, attribute=, nth=, every=, from=, delay=, sense=, status=, mad, drop, kill",
                "nth=1|it does not say what is to happen",
                "drop,kill|drop and kill exclude each other",
                "nth=1,every=2,drop|nth and every exclude each other",
                "nth=0,drop|nth counts from 1",
                "nth=x,drop|nth 'x' is no whole number",
                "every=-1,drop|every '-1' is no whole number",
                "nth,drop|nth needs a value",
                "drop=1|drop takes no value",
                "drop,drop|drop is given twice",
                "opcode=1,drop|'opcode=1' is none of",
                "command=READ,drop|'READ' is no command; write any, a name such as READ_10",
                "command=0x100,drop|'0x100' is no command",
                "delay=3|'3' is no time; write such as delay=500us",
                "sense=3/11|'3/11' is no sense; write key, code and qualifier in hexadecimal",
                "sense=13/11/00|is no sense",
                "status=GOOD|'GOOD' is no status to fail with; one of CHECK_CONDITION",
                "mad,kill|kill is for commands",
                "mad,sense=3/11/00|sense is for commands",
                "mad,command=any,drop|command is for commands",
                "mad,attribute=0x10000,drop|attribute '0x10000' is no whole number up to 0xffff",
                "attribute=1,drop|commands have no attribute"
            })
    void saysWhatIsWrong(String rule, String problem) {
        assertThatThrownBy(() -> FaultRule.parse(rule))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + rule + "': ")
                .hasMessageContaining(problem);
    }

    @Test
    void isAsItWasWritten() {
        FaultRule rule = FaultRule.parse("nth=1,drop");
        assertThat(rule).hasToString("nth=1,drop").isEqualTo(FaultRule.parse("nth=1,drop"));
        assertThat(rule).hasSameHashCodeAs(FaultRule.parse("nth=1,drop")).isNotEqualTo(FaultRule.parse("nth=2,drop"));
    }
}
