/** What the reports of a build's tests say, for checks that run after all of them. */
@NullMarked
package io.srpt.reports;

import org.jspecify.annotations.NullMarked;
