package io.srpt.target;

/**
 * What was agreed at a login.
 *
 * @param id number of the channel, unique in the process
 * @param initiator who logged in
 * @param immediateOffset where immediate data begins, 0 if none may be sent
 * @param maxResponseLength longest unit that may be sent to the initiator
 * @param flags flags of the login, which say what is to be a solicited event
 */
record LoginTerms(long id, AccessControl.Initiator initiator, int immediateOffset, int maxResponseLength, int flags) {}
