package dev.towtank.controllers.planted;

/// Something for others to see.
public record Seen() {}
