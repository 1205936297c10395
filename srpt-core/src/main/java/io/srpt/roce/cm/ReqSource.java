package io.srpt.roce.cm;

import io.srpt.mad.MadAddress;

/**
 * Where an answer to a REQ goes.
 *
 * @param address the sender
 * @param transactionId the MAD's
 */
record ReqSource(MadAddress address, long transactionId) {}
