package io.srpt.scsi;

/** Task attributes (SAM-5 §8.2). ACA is refused, since NormACA is 0. */
public enum TaskAttribute {
    SIMPLE,
    HEAD_OF_QUEUE,
    ORDERED,
    ACA
}
