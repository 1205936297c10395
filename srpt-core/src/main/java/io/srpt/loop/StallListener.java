package io.srpt.loop;

/** Is told of loops that do not turn for longer than the set time. */
@FunctionalInterface
public interface StallListener {
    /**
     * {@code loop} is kept from turning. Comes once from the watchdog's thread while it hangs ({@code over} false), and once
     * on the loop when it goes on ({@code over} true). Must not block.
     *
     * @param loop the loop's name
     * @param handler what runs or ran: a listener, deadline, socket or task
     * @param nanos for how long so far
     * @param over whether the loop goes on
     */
    void onStall(String loop, String handler, long nanos, boolean over);
}
