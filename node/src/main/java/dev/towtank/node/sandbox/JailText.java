package dev.towtank.node.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Texts on their way to a program that tells its arguments apart by zero bytes.
final class JailText {

    private static final int LONGEST_SHOWN = 200;

    private JailText() {}

    /// All arguments as such a program reads them: the one place where they become bytes.
    ///
    /// @throws IOException one of them would be read as two
    static byte[] bytes(List<String> arguments) throws IOException {
        for (var argument : arguments) {
            if (argument.indexOf('\0') >= 0) {
                throw new IOException("\"" + shown(argument) + "\" holds a zero byte, which no process can be given");
            }
        }
        return (String.join("\0", arguments) + "\0").getBytes(StandardCharsets.UTF_8);
    }

    static boolean hasControls(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    /// For a message: short, and in one line.
    static String shown(String text) {
        var visible = new StringBuilder();
        text.chars()
                .limit(LONGEST_SHOWN)
                .forEach(letter -> visible.append(Character.isISOControl(letter) ? '?' : (char) letter));
        return text.length() > LONGEST_SHOWN ? visible + "..." : visible.toString();
    }
}
