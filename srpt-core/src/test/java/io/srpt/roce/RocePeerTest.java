package io.srpt.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose turn it is among the queue pairs that send to one address. */
class RocePeerTest {
    private final RocePeer peer = new RocePeer();
    private final List<String> log = new ArrayList<>();

    @Test
    void allSendOneKindBeforeAnySendsTheNext() {
        add(new Recorded("a"));
        add(new Recorded("b"));
        peer.transmit();
        List<String> expected = new ArrayList<>();
        for (SendPass pass : SendPass.values()) {
            expected.add("a " + pass);
            expected.add("b " + pass);
        }
        assertThat(log).containsExactlyElementsOf(expected);
    }

    @Test
    void aBugInOneCostsTheOthersATurnOnly() {
        Recorded before = add(new Recorded("before"));
        Recorded broken = add(new Recorded("broken") {
            @Override
            public void transmit(SendPass pass) {
                throw new IllegalStateException("a bug");
            }
        });
        Recorded behind = add(new Recorded("behind"));

        assertThatThrownBy(peer::transmit).hasMessage("a bug");

        assertThat(before.scheduled).isTrue();
        assertThat(behind.scheduled).isTrue();
        assertThat(broken.scheduled)
                .as("asked again and again, it would throw each turn")
                .isFalse();
        log.clear();
        peer.transmit();
        assertThat(log).hasSize(2 * SendPass.values().length);
    }

    private Recorded add(Recorded sender) {
        sender.schedule();
        return sender;
    }

    private class Recorded implements Sender {
        private final String name;
        boolean scheduled;

        Recorded(String name) {
            this.name = name;
        }

        @Override
        public boolean markScheduled(boolean value) {
            boolean changed = scheduled != value;
            scheduled = value;
            return changed;
        }

        @Override
        public void transmit(SendPass pass) {
            log.add(name + " " + pass);
        }

        @Override
        public void schedule() {
            if (markScheduled(true)) {
                peer.add(this);
            }
        }
    }
}
