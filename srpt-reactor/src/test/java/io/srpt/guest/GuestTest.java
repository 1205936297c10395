package io.srpt.guest;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests that need a guest; they take a {@link GuestLab} as a parameter. Where guests cannot run they are skipped with the
 * reason, and fail with {@code -Dsrpt.guest=required}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(GuestExtension.class)
@interface GuestTest {}
