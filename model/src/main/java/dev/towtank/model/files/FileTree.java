package dev.towtank.model.files;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// The files of one folder and all below it. Paths are relative, with `/`, and never leave the folder: no `..`.
public interface FileTree {

    /// The content of a file; empty where there is none, or where the path is a folder.
    Optional<byte[]> read(String path);

    /// The names right inside of a folder in order, those of folders with a `/` at the end; `""` is the root.
    List<String> list(String directory);

    /// Files in memory, by path.
    static FileTree of(Map<String, byte[]> files) {
        var sorted = new TreeMap<>(files);
        return new FileTree() {
            @Override
            public Optional<byte[]> read(String path) {
                return Optional.ofNullable(sorted.get(path)).map(byte[]::clone);
            }

            @Override
            public List<String> list(String directory) {
                var prefix = directory.isEmpty() ? "" : directory + "/";
                var names = new TreeSet<String>();
                for (var path : sorted.tailMap(prefix, true).keySet()) {
                    if (!path.startsWith(prefix)) {
                        break;
                    }
                    var rest = path.substring(prefix.length());
                    int slash = rest.indexOf('/');
                    names.add(slash < 0 ? rest : rest.substring(0, slash + 1));
                }
                return List.copyOf(names);
            }
        };
    }
}
