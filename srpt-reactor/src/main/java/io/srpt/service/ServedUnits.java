package io.srpt.service;

import io.srpt.scsi.DeviceServer;
import io.srpt.scsi.LogicalUnit;
import io.srpt.scsi.LogicalUnitConfig;
import io.srpt.scsi.MediumStateFile;
import io.srpt.scsi.MediumStateStore;
import io.srpt.scsi.ReservationFile;
import io.srpt.scsi.ReservationStore;
import io.srpt.store.BlockStore;
import io.srpt.store.ByteSize;
import io.srpt.store.StoreCompletion;
import io.srpt.store.StoreException;
import io.srpt.store.StoreStatus;
import io.srpt.store.StoreThreads;
import io.srpt.verbs.RdmaLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disks of a target with their stores: those of the beginning, and those that come, go and grow while it runs.
 *
 * <p>Threads: any but the loops.
 */
final class ServedUnits implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServedUnits.class);
    /** Folders in the state directory. */
    private static final String RESERVATIONS = "reservations";

    private static final String MEDIA = "media";

    private static final long QUIET_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long QUIET_LOOK_MILLIS = 5;

    private final StoreThreads threads;
    private final long serviceGuid;
    private final @Nullable Path reservations;
    private final @Nullable Path media;
    private final NavigableMap<Integer, LogicalUnit> units = new ConcurrentSkipListMap<>();
    private BiConsumer<Integer, LogicalUnit> newcomers = (lun, unit) -> {};
    private @Nullable RdmaLoop loop;
    private @Nullable DeviceServer server;

    /**
     * Disks whose persistent reservations, where initiators ask for it, and unfinished SANITIZE and FORMAT UNIT are kept in
     * {@code stateDirectory}, unless that is empty.
     */
    ServedUnits(StoreThreads threads, long serviceGuid, Path stateDirectory) {
        this.threads = threads;
        this.serviceGuid = serviceGuid;
        this.reservations = stateDirectory.toString().isEmpty() ? null : stateDirectory.resolve(RESERVATIONS);
        this.media = stateDirectory.toString().isEmpty() ? null : stateDirectory.resolve(MEDIA);
    }

    /** Opens a disk, which nobody sees yet. */
    LogicalUnit open(LunConfiguration lun) throws ServiceException {
        return open(LunSource.of(lun.store()), lun);
    }

    /** Opens a disk with this store. */
    LogicalUnit open(LunSource source, LunConfiguration lun) throws ServiceException {
        BlockStore store;
        try {
            store = source.opener().open(threads);
        } catch (StoreException | IllegalArgumentException e) {
            throw new ServiceException("LUN " + lun.lun() + ": " + e.getMessage(), e);
        }
        String serial =
                LogicalUnitConfig.serialFrom(Guid.format(serviceGuid), Integer.toString(lun.lun()), source.identity());
        try {
            LogicalUnitConfig config = lun.unit(serial);
            return new LogicalUnit(
                    config, store, reservations(config), source.keepsData() ? mediumState(config) : null);
        } catch (StoreException | IllegalArgumentException e) {
            store.close();
            throw new ServiceException("LUN " + lun.lun() + ": " + e.getMessage(), e);
        }
    }

    /** Where its reservations outlive the process, or null; a folder that is there must be one that can be used. */
    private @Nullable ReservationStore reservations(LogicalUnitConfig config) throws StoreException {
        Path folder = reservations;
        if (folder == null) {
            return null;
        }
        try {
            return ReservationFile.open(folder, config, threads);
        } catch (StoreException e) {
            if (Files.exists(folder)) {
                throw e;
            }
            LOG.warn("Persistent reservations end with this process (APTPL is refused): {}", e.getMessage());
            return null;
        }
    }

    /** Where it outlives the process that its medium is not what it should be, or null; else as {@link #reservations}. */
    private @Nullable MediumStateStore mediumState(LogicalUnitConfig config) throws StoreException {
        Path folder = media;
        if (folder == null) {
            return null;
        }
        try {
            MediumStateFile file = MediumStateFile.open(folder, config, threads);
            if (file.kept() != null) {
                LOG.warn("Disk {} gives no data out: {} did not come to its end", config.serial(), file.kept());
            }
            return file;
        } catch (StoreException e) {
            if (Files.exists(folder)) {
                throw e;
            }
            LOG.warn("A SANITIZE that is not through when this process ends is forgotten: {}", e.getMessage());
            return null;
        }
    }

    /** Keeps a disk that {@link #open} gave for {@link #serve}. */
    void keep(int lun, LogicalUnit unit) {
        units.put(lun, unit);
    }

    /** The number behind the highest. */
    int nextNumber() {
        return units.isEmpty() ? 0 : units.lastKey() + 1;
    }

    /** Shows the disks to initiators. */
    void serve(RdmaLoop servingLoop, DeviceServer servingServer) throws ServiceException {
        loop = servingLoop;
        server = servingServer;
        Blocking.onLoop(servingLoop, "adding the disks", () -> units.forEach(servingServer::addLogicalUnit));
    }

    /** Calls {@code listener} for each disk that is shown later, on the loop and before the first command for it. */
    void onNewcomer(BiConsumer<Integer, LogicalUnit> listener) {
        newcomers = listener;
    }

    /** Shows one more disk, which {@link #open} gave; initiators that are there learn of it by unit attention. */
    void add(int lun, LogicalUnit unit) throws ServiceException {
        onLoop("adding LUN " + lun, serving -> {
            serving.addLogicalUnit(lun, unit);
            newcomers.accept(lun, unit);
        });
        units.put(lun, unit);
        LOG.info("LUN {} is there: {}", lun, unit.store());
    }

    /** Takes a disk away and closes its store, when the commands that are in hand have ended. */
    void remove(int lun) throws ServiceException {
        LogicalUnit unit = units.get(lun);
        if (unit == null) {
            throw new ServiceException("there is no LUN " + lun);
        }
        onLoop("taking LUN " + lun + " away", serving -> serving.removeLogicalUnit(lun));
        units.remove(lun);
        if (!isQuiet(unit)) {
            LOG.warn("LUN {}: commands are still in hand; its store is closed under them", lun);
        }
        unit.store().close();
        LOG.info("LUN {} is gone: {}", lun, unit.store());
    }

    private static boolean isQuiet(LogicalUnit unit) {
        long start = System.nanoTime();
        while (unit.counters().activeCommands.get() > 0) {
            if (System.nanoTime() - start > QUIET_LIMIT_NANOS) {
                return false;
            }
            try {
                Thread.sleep(QUIET_LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /** Grows a disk to {@code bytes}; initiators learn of it by unit attention. */
    void grow(int lun, long bytes) throws ServiceException {
        String to = ByteSize.format(bytes);
        StoreStatus status = await(lun, store(lun), (store, done) -> store.grow(bytes, done));
        switch (status) {
            case OK -> {}
            case OUT_OF_RANGE ->
                throw new ServiceException("LUN " + lun + " has "
                        + ByteSize.format(store(lun).sizeBytes()) + ", more than " + to + "; a disk does not shrink");
            case NOT_SUPPORTED ->
                throw new ServiceException(
                        "LUN " + lun + " grows with its medium: grow " + store(lun) + ", then look again");
            case NO_SPACE -> throw new ServiceException("LUN " + lun + ": there is no space for " + to);
            case WRITE_PROTECTED -> throw new ServiceException("LUN " + lun + " is read-only");
            default -> throw new ServiceException("LUN " + lun + " does not grow: " + status);
        }
    }

    /** Looks whether the medium of a disk was grown from outside. */
    void rescan(int lun) throws ServiceException {
        StoreStatus status = await(lun, store(lun), BlockStore::rescan);
        if (status != StoreStatus.OK) {
            throw new ServiceException("LUN " + lun + " cannot be looked at: " + status);
        }
    }

    @FunctionalInterface
    private interface StoreCall {
        void on(BlockStore store, StoreCompletion done);
    }

    private static StoreStatus await(int lun, BlockStore store, StoreCall call) throws ServiceException {
        CompletableFuture<StoreStatus> done = new CompletableFuture<>();
        call.on(store, (status, at) -> done.complete(status));
        return Blocking.await("LUN " + lun, done, Blocking.LONG_SECONDS);
    }

    private BlockStore store(int lun) throws ServiceException {
        LogicalUnit unit = units.get(lun);
        if (unit == null) {
            throw new ServiceException("there is no LUN " + lun);
        }
        return unit.store();
    }

    @FunctionalInterface
    private interface ServerAction {
        void on(DeviceServer server);
    }

    private void onLoop(String what, ServerAction action) throws ServiceException {
        DeviceServer serving = server;
        RdmaLoop servingLoop = loop;
        if (serving == null || servingLoop == null) {
            throw new ServiceException(what + ": the target has not started");
        }
        Blocking.onLoop(servingLoop, what, () -> action.on(serving));
    }

    /** The disks by LUN; goes with the times. */
    Map<Integer, LogicalUnit> all() {
        return Collections.unmodifiableMap(units);
    }

    /** Closes all stores. The loops have ended before. */
    @Override
    public void close() {
        List<LogicalUnit> all = new ArrayList<>(units.values());
        all.reversed().forEach(unit -> unit.store().close());
    }
}
