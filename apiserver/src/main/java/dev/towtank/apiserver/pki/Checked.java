package dev.towtank.apiserver.pki;

import dev.towtank.model.Sha256;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/// Remembers by a checksum that the files of a directory fit together. To find that out takes ten signatures,
/// which a cold JVM needs a tenth of a second for; the checksum takes a millisecond. Any change of any file asks
/// for a new check.
final class Checked {
    private static final String FILE = "checked";

    private static final List<String> FILES = List.of(
            "admin.crt",
            "admin.key",
            "ca.crt",
            "ca.key",
            "service-account.key",
            "service-account.pub",
            "serving.crt",
            "serving.key");

    private Checked() {}

    static boolean isUnchanged(Path directory) {
        try {
            return Files.readString(directory.resolve(FILE)).equals(checksum(directory));
        } catch (IOException e) {
            return false; // a file is missing: whoever reads it will say so
        }
    }

    static void remember(Path directory) {
        try {
            PrivateFile.write(directory.resolve(FILE), checksum(directory));
        } catch (IOException e) {
            throw new Pki.Unusable("Cannot write " + directory.resolve(FILE) + ": " + e, e);
        }
    }

    private static String checksum(Path directory) throws IOException {
        var digest = Sha256.begin();
        for (var name : FILES) {
            digest.update((name + "\n").getBytes(StandardCharsets.US_ASCII));
            digest.update(Files.readAllBytes(directory.resolve(name)));
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
