package dev.towtank.model.helm;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/// A packed chart: a tar with gzip around it and one folder in it. What leaves the folder, is a link, or grows beyond
/// reason is refused.
public final class ChartArchive {
    private static final int BLOCK = 512;
    private static final int MAX_UNPACKED = 100 << 20;
    private static final int MAX_FILES = 20_000;

    private ChartArchive() {}

    /// The files by their path inside of the chart's folder.
    public static Map<String, byte[]> unpack(byte[] archive) {
        byte[] tar;
        try (var in = new GZIPInputStream(new ByteArrayInputStream(archive))) {
            tar = in.readNBytes(MAX_UNPACKED + 1);
        } catch (IOException e) {
            throw new HelmError("chart archive cannot be read: " + e.getMessage());
        }
        if (tar.length > MAX_UNPACKED) {
            throw new HelmError("decompressed chart is larger than the maximum size " + MAX_UNPACKED);
        }
        return entries(tar);
    }

    private static Map<String, byte[]> entries(byte[] tar) {
        var files = new TreeMap<String, byte[]>();
        var longName = "";
        for (int at = 0; at + BLOCK <= tar.length && tar[at] != 0; ) {
            var name = longName.isEmpty() ? name(tar, at) : longName;
            longName = "";
            int size = size(tar, at, name);
            int content = at + BLOCK;
            if (content + size > tar.length) {
                throw new HelmError("chart archive ends in the middle of " + name);
            }
            var bytes = java.util.Arrays.copyOfRange(tar, content, content + size);
            switch (tar[at + 156]) {
                case '0', 0 -> files.put(inside(name), bytes);
                case 'L' -> longName = new String(bytes, StandardCharsets.UTF_8).replace("\0", "");
                case 'x' -> longName = extendedPath(bytes);
                case '5', 'g' -> {}
                default -> throw new HelmError("chart archive has something that is no file: " + name);
            }
            if (files.size() > MAX_FILES) {
                throw new HelmError("chart archive has more than " + MAX_FILES + " files");
            }
            at = content + (size + BLOCK - 1) / BLOCK * BLOCK;
        }
        if (files.isEmpty()) {
            throw new HelmError("no files in chart archive");
        }
        return files;
    }

    private static String name(byte[] tar, int at) {
        var prefix = text(tar, at + 345, 155);
        var name = text(tar, at, 100);
        return text(tar, at + 257, 5).equals("ustar") && !prefix.isEmpty() ? prefix + "/" + name : name;
    }

    private static String text(byte[] tar, int from, int length) {
        int end = from;
        while (end < from + length && tar[end] != 0) {
            end++;
        }
        return new String(tar, from, end - from, StandardCharsets.UTF_8);
    }

    private static int size(byte[] tar, int at, String name) {
        var digits = text(tar, at + 124, 12).strip();
        if (!digits.matches("[0-7]{1,12}")) {
            throw new HelmError("chart archive has no size for " + name);
        }
        long size = Long.parseLong(digits, 8);
        if (size > MAX_UNPACKED) {
            throw new HelmError("chart file " + name + " is larger than the maximum size " + MAX_UNPACKED);
        }
        return (int) size;
    }

    private static String extendedPath(byte[] records) {
        for (var line : new String(records, StandardCharsets.UTF_8).split("\n", -1)) {
            int path = line.indexOf(" path=");
            if (path >= 0) {
                return line.substring(path + " path=".length());
            }
        }
        return "";
    }

    // All files are in one folder, whose name does not matter.
    private static String inside(String name) {
        var path = name.replace('\\', '/');
        path = path.startsWith("./") ? path.substring(2) : path;
        int slash = path.indexOf('/');
        if (path.startsWith("/") || slash < 0 || path.contains("//")) {
            throw new HelmError("chart illegally contains content outside the base directory: " + name);
        }
        for (var part : path.split("/", -1)) {
            if (part.equals("..")) {
                throw new HelmError("chart illegally references parent directory: " + name);
            }
        }
        return path.substring(slash + 1);
    }
}
