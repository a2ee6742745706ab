package dev.towtank.system.planted;

/// Something for others to see.
public record Seen() {}
