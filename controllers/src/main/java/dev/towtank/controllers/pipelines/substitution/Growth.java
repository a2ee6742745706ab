package dev.towtank.controllers.pipelines.substitution;

/// How long the texts of one object may become with values in the places of their variables.
///
/// A long value that is named often would make more of a small object than any memory holds, and no server would take
/// what comes of it: what is used up is counted before it is made.
public final class Growth {

    /// What a request may carry.
    public static final long MOST = 3L * 1024 * 1024;

    /// Many short texts cost more than their characters.
    private static final int PER_TEXT = 16;

    /// The object cannot be made, whoever tries.
    public static final class TooLong extends RuntimeException {
        private static final long serialVersionUID = 1;

        private TooLong() {
            super(
                    "with the values of its variables it would be longer than " + MOST
                            + " characters: pass long values in a workspace, or name them less often",
                    null,
                    false,
                    false);
        }

        public String text() {
            return String.valueOf(getMessage());
        }
    }

    private long left = MOST;

    /// @throws TooLong when this and all before it are too much
    void take(long characters) {
        left -= characters;
        if (left < 0) {
            throw new TooLong();
        }
    }

    void takeTexts(Iterable<String> texts) {
        texts.forEach(text -> take(text.length() + PER_TEXT));
    }
}
