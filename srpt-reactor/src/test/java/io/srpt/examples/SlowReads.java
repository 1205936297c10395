package io.srpt.examples;

import static io.srpt.reactor.fault.OperationCode.READ_10;

import io.srpt.reactor.fault.FaultInjection;
import io.srpt.service.ServiceException;
import io.srpt.service.SrptServer;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;

/** Faults for those who test initiators, by operators on the stream of commands. */
public final class SlowReads {
    private SlowReads() {}

    public static void main(String[] args) throws ServiceException, IOException {
        InetAddress address = InetAddress.getByName(args.length > 0 ? args[0] : "127.0.0.1");
        try (SrptServer server = SrptServer.builder()
                .listen(address)
                .lun("memory:16MiB")
                .faults(faults(Duration.ofSeconds(3)))
                .start()) {
            System.out.println(server.addresses().getFirst());
            System.in.read();
        }
    }

    /** A bad block, and READs of which every 200th takes {@code time}. */
    static FaultInjection faults(Duration time) {
        // README
        return FaultInjection.builder()
                .commands(commands -> commands.filter(command -> command.touches(1000))
                        .map(command -> command.checkCondition(0x3, 0x11, 0x00))) // unrecovered read error
                .commands(commands -> commands.filter(command -> command.is(READ_10))
                        .index()
                        .filter(numbered -> numbered.getT1() % 200 == 199)
                        .map(numbered -> numbered.getT2().delay(time)))
                .replies(replies -> replies.take(1).map(reply -> reply.drop()))
                .build();
        // end
    }
}
