package dev.towtank.app.render;

import dev.towtank.model.helm.Helm;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How charts are to be rendered.
///
/// @param values over those of the charts
/// @param version of a chart that is elsewhere; empty for the newest
public record ChartWishes(Map<String, @Nullable Object> values, Helm.Options options, String version) {}
