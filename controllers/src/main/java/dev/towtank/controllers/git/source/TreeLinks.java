package dev.towtank.controllers.git.source;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Links in a tree of git, which are what they lead to as long as that is in the tree: whoever renders has no links.
final class TreeLinks {

    private TreeLinks() {}

    /// One to a folder has the files of that folder. One that leads out of the tree or to nothing is left out.
    ///
    /// @param most how many files there may be
    static Map<String, byte[]> followed(SortedMap<String, byte[]> files, Map<String, String> links, int most)
            throws IOException {
        var all = new TreeMap<>(files);
        for (var link : links.entrySet()) {
            var place = resolved(link.getKey(), link.getValue());
            for (int hops = 0; hops < links.size() && place.isPresent() && links.containsKey(place.get()); hops++) {
                place = resolved(place.get(), links.get(place.get()));
            }
            if (place.isEmpty()) {
                continue;
            }
            var target = place.get();
            if (files.containsKey(target)) {
                all.put(link.getKey(), files.get(target));
                continue;
            }
            var folder = target.isEmpty() ? "" : target + "/";
            for (var file : files.tailMap(folder).entrySet()) {
                if (!file.getKey().startsWith(folder)) {
                    break;
                }
                all.put(link.getKey() + "/" + file.getKey().substring(folder.length()), file.getValue());
                if (all.size() > most) {
                    throw new IOException("the link " + link.getKey() + " makes more than " + most + " files");
                }
            }
        }
        return all;
    }

    /// Where a link leads; empty when that is outside.
    private static Optional<String> resolved(String link, String target) {
        if (target.startsWith("/")) {
            return Optional.empty();
        }
        var parts = new ArrayDeque<String>();
        int end = link.lastIndexOf('/');
        for (var part : (end < 0 ? target : link.substring(0, end) + "/" + target).split("/", -1)) {
            if (part.equals("..")) {
                if (parts.pollLast() == null) {
                    return Optional.empty();
                }
            } else if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return Optional.of(String.join("/", parts));
    }
}
