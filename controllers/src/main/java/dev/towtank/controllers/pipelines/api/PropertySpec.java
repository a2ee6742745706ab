package dev.towtank.controllers.pipelines.api;

/// The type of one key of an object param or result.
public record PropertySpec(String type) {}
