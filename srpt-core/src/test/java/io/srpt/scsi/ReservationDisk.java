package io.srpt.scsi;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What tests of reservations have in common: a {@link ReservationBed}, and what its commands answer. */
abstract class ReservationDisk {
    protected static final String GOOD = "GOOD";
    protected static final String CONFLICT = "RESERVATION_CONFLICT";

    protected ReservationBed disk;

    @BeforeEach
    final void makeDisk() throws Exception {
        disk = new ReservationBed();
    }

    @AfterEach
    final void closeDisk() {
        disk.close();
    }
}
