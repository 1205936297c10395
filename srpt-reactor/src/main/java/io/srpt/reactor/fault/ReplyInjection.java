package io.srpt.reactor.fault;

import io.srpt.mad.MadReplyFault;

/**
 * What a pipeline decided about a management reply.
 *
 * @param reply the reply
 * @param fault what happens to it
 */
public record ReplyInjection(InjectableReply reply, MadReplyFault fault) {}
