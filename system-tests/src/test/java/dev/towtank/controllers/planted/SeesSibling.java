package dev.towtank.controllers.planted;

import dev.towtank.controllers.triggers.TriggersFeature;

/// Breaks a rule, so that `WallsTest` sees the rule fail.
final class SeesSibling {
    String name() {
        return new TriggersFeature().name();
    }
}
