package io.srpt.service;

import io.srpt.service.http.BearerToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the token of the HTTP side: {@code http-token}, or {@code http-token-file} with a file that holds it alone. */
final class TokenSettings {
    private static final int MAX_FILE_LENGTH = 4096;

    private TokenSettings() {}

    /** The token; null if neither is given. */
    static @Nullable BearerToken of(@Nullable Setting token, @Nullable Setting file) throws ConfigurationException {
        if (token != null && file != null) {
            throw file.wrong("there is " + SettingKey.HTTP_TOKEN.key() + " too; give one of them");
        }
        Path path = Values.path(file);
        if (file != null && path != null) {
            return token(file, read(file, path));
        }
        return token == null ? null : token(token, token.text());
    }

    private static BearerToken token(Setting setting, String text) throws ConfigurationException {
        try {
            return BearerToken.of(text);
        } catch (IllegalArgumentException e) {
            // Without the text: messages end up in logs.
            throw setting.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static String read(Setting setting, Path file) throws ConfigurationException {
        try {
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
            if (permissions.contains(PosixFilePermission.OTHERS_READ)
                    || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
                throw setting.wrong("everybody may read or write " + file + "; chmod 600 it");
            }
            if (Files.size(file) > MAX_FILE_LENGTH) {
                throw setting.wrong(file + " is too long for a token");
            }
            return Files.readString(file).strip();
        } catch (NoSuchFileException e) {
            throw setting.wrong("there is no file " + file + "; make one with: (umask 077; head -c 24 /dev/urandom |"
                    + " base64 > " + file + ")");
        } catch (IOException e) {
            throw setting.wrong("cannot read " + file + ": " + e);
        }
    }
}
