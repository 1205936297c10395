package io.srpt.examples;

import io.srpt.service.ServiceException;
import io.srpt.service.SrptServer;
import io.srpt.store.BlockStore;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/** A disk of one's own: 1 TiB whose every 8 bytes hold their own address. What is written to it is refused. */
public final class TinyStore {
    private TinyStore() {}

    public static void main(String[] args) throws ServiceException, IOException {
        InetAddress address = InetAddress.getByName(args.length > 0 ? args[0] : "127.0.0.1");
        try (SrptServer server =
                SrptServer.builder().listen(address).lun(new AddressStore()).start()) {
            System.out.println(server.addresses().getFirst());
            System.in.read();
        }
    }

    // README
    record AddressStore(long sizeBytes, boolean readOnly, boolean writeCacheEnabled) implements BlockStore {
        AddressStore() {
            this(1L << 40, true, false);
        }

        public void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
            for (int i = 0; i < count; i++) {
                for (int at = segments[i].position(); at < segments[i].limit(); at += 8, offset += 8) {
                    segments[i].putLong(at, offset);
                }
            }
            done.onStoreDone(StoreStatus.OK, 0);
        }

        public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
            done.onStoreDone(StoreStatus.WRITE_PROTECTED, offset);
        }

        public void flush(StoreCompletion done) {
            done.onStoreDone(StoreStatus.OK, 0);
        }

        public void close() {}
    }
    // end
}
