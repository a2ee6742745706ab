package dev.towtank.node.images.store;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Whose the files of a layer, or of a whole image, are in the image's own eyes. On the disk they all belong to whoever
/// unpacked them: here is written down which ones are not root's.
public final class FileOwners {

    /// Each is one more step when a container begins.
    static final int MOST = 5_000;

    /// And what they hold is copied for it then, into memory.
    static final long MOST_BYTES = 16 << 20;

    private static final int HIGHEST = 65_535;
    private static final String TOO_MANY = "*";

    /// @param path from the root on, without a slash at its begin
    /// @param bytes that it holds, as far as they count already
    public record Owner(String path, int user, int group, long bytes) {}

    private final Map<String, Owner> owners = new LinkedHashMap<>();
    private boolean tooMany;

    /// @return how much longer the names have become
    int add(String path, long user, long group) {
        return add(path, user, group, 0);
    }

    private int add(String path, long user, long group, long bytes) {
        if ((user == 0 && group == 0) || user < 0 || group < 0 || user > HIGHEST || group > HIGHEST) {
            owners.remove(path); // an earlier entry of the same name
            return 0;
        }
        tooMany |= owners.size() == MOST && !owners.containsKey(path);
        if (tooMany) {
            return 0;
        }
        owners.put(path, new Owner(path, (int) user, (int) group, bytes));
        return path.length();
    }

    /// Empty when there are more than anybody wants to look at, or nobody has noted them down.
    public static Optional<List<Owner>> read(Path file) throws IOException {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
        if (text.equals(TOO_MANY)) {
            return Optional.empty();
        }
        var all = new ArrayList<Owner>();
        for (var line : text.split("\0", -1)) {
            var parts = line.split(":", 4);
            if (parts.length == 4) {
                all.add(new Owner(
                        parts[3], Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Long.parseLong(parts[2])));
            }
        }
        return Optional.of(all);
    }

    /// Zero bytes are in no path.
    byte[] bytes() {
        if (tooMany) {
            return TOO_MANY.getBytes(StandardCharsets.UTF_8);
        }
        var text = new StringBuilder();
        for (var owner : owners.values()) {
            text.append(owner.user).append(':').append(owner.group).append(':');
            text.append(owner.bytes).append(':').append(owner.path).append('\0');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /// Those of all layers together: of what has the same name, the uppermost counts.
    ///
    /// @param files with a link to each layer
    /// @param layers what was noted down of each, from the lowest on
    static FileOwners together(LayeredFiles files, List<Path> layers) throws IOException {
        var all = new FileOwners();
        long bytes = 0;
        for (int i = 0; i < layers.size(); i++) {
            var some = read(layers.get(i));
            all.tooMany |= some.isEmpty();
            var layer = files.root().resolve(Integer.toString(i));
            for (var owner : some.orElse(List.of())) {
                var seen = files.file(Path.of("/", owner.path));
                if (seen.isPresent() && seen.get().startsWith(layer)) {
                    long holds = bytes(seen.get());
                    bytes += holds;
                    all.add(owner.path, owner.user, owner.group, holds);
                }
            }
        }
        all.tooMany |= bytes > MOST_BYTES;
        return all;
    }

    private static long bytes(Path file) throws IOException {
        var facts = Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return facts.isRegularFile() ? facts.size() : 0;
    }
}
