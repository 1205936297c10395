package io.srpt.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Real system calls that a test can make fail, delay and count. */
final class InjectedCalls implements FileCalls {
    /** Decides about one call. */
    interface Injection {
        /** The result in place of the call's, or null for the call itself. */
        @Nullable
        Long before(String call, long offset, long length);
    }

    final List<String> made = new ArrayList<>();
    volatile Injection injection = (call, offset, length) -> null;
    private final FileCalls calls;

    InjectedCalls(FileCalls calls) {
        this.calls = calls;
    }

    private @Nullable Long inject(String call, long offset, long length) {
        synchronized (made) {
            made.add(call);
        }
        return injection.before(call, offset, length);
    }

    long count(String call) {
        synchronized (made) {
            return made.stream().filter(call::equals).count();
        }
    }

    @Override
    public long preadv(IoVector vector, long offset, boolean nowait) {
        Long injected = inject(nowait ? "readNow" : "read", offset, vector.bytes());
        return injected != null ? injected : calls.preadv(vector, offset, nowait);
    }

    @Override
    public long pwritev(IoVector vector, long offset) {
        Long injected = inject("write", offset, vector.bytes());
        return injected != null ? injected : calls.pwritev(vector, offset);
    }

    @Override
    public long fallocate(int mode, long offset, long length) {
        Long injected = inject((mode & FALLOC_PUNCH_HOLE) != 0 ? "punch" : "zero", offset, length);
        return injected != null ? injected : calls.fallocate(mode, offset, length);
    }

    @Override
    public long fdatasync() {
        Long injected = inject("sync", 0, 0);
        return injected != null ? injected : calls.fdatasync();
    }

    @Override
    public long syncFolder() {
        Long injected = inject("syncFolder", 0, 0);
        return injected != null ? injected : calls.syncFolder();
    }

    @Override
    public long ftruncate(long length) {
        Long injected = inject("truncate", 0, length);
        return injected != null ? injected : calls.ftruncate(length);
    }

    @Override
    public long lseek(long offset, int whence) {
        Long injected = inject("seek", offset, whence);
        return injected != null ? injected : calls.lseek(offset, whence);
    }

    @Override
    public long allocatedBytes() {
        return calls.allocatedBytes();
    }

    @Override
    public void close() {
        inject("close", 0, 0);
        calls.close();
    }
}
