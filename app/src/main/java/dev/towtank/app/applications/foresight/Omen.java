package dev.towtank.app.applications.foresight;

/// Something about a sync that can be told before it begins.
///
/// @param text for people: what will happen, why, and what to do about it
public record Omen(Turn turn, String text) {

    /// What will come of it.
    public enum Turn {
        /// The sync ends, and not well.
        FAILS,
        /// Somebody waits for what nobody brings.
        WAITS,
        /// It goes well where something is there that no repository has.
        NEEDS
    }

    static Omen fails(String text) {
        return new Omen(Turn.FAILS, text);
    }

    static Omen waits(String text) {
        return new Omen(Turn.WAITS, text);
    }

    static Omen needs(String text) {
        return new Omen(Turn.NEEDS, text);
    }
}
