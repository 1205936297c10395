package io.srpt.examples;

import io.srpt.service.ServiceException;
import io.srpt.service.SrptServer;
import io.srpt.store.BlockStore;
import io.srpt.store.Segments;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

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
    record AddressStore(long sizeBytes, boolean readOnly, boolean writeCacheEnabled, AtomicBoolean closed)
            implements BlockStore {
        AddressStore() {
            this(1L << 40, true, false, new AtomicBoolean());
        }

        public void read(long offset, ByteBuffer[] segments, int count, StoreCompletion done) {
            StoreStatus status = check(offset, Segments.length(segments, count));
            for (int i = 0; i < count && status == StoreStatus.OK; i++) {
                for (int at = segments[i].position(); at < segments[i].limit(); at += 8, offset += 8) {
                    segments[i].putLong(at, offset);
                }
            }
            done.onStoreDone(status, offset);
        }

        public void write(long offset, ByteBuffer[] segments, int count, boolean fua, StoreCompletion done) {
            done.onStoreDone(StoreStatus.WRITE_PROTECTED, offset);
        }

        public void flush(StoreCompletion done) {
            done.onStoreDone(check(0, 0), 0);
        }

        private StoreStatus check(long offset, long length) {
            if (closed.get()) {
                return StoreStatus.NOT_READY;
            }
            return Segments.inside(offset, length, sizeBytes) ? StoreStatus.OK : StoreStatus.OUT_OF_RANGE;
        }

        public void close() {
            closed.set(true);
        }
    }
    // end
}
