package dev.towtank.app.run.view;

/// Text measured and cut in the columns of a terminal, escapes not counted.
final class Columns {

    private static final char ESCAPE = '\033';

    private Columns() {}

    static int width(String text) {
        int width = 0;
        for (int i = 0; i < text.length(); ) {
            if (text.charAt(i) == ESCAPE) {
                i = endOfEscape(text, i);
                continue;
            }
            int point = text.codePointAt(i);
            width += width(point);
            i += Character.charCount(point);
        }
        return width;
    }

    /// Cut to fit, with escapes kept, so that colours end where they should.
    static String cut(String text, int columns, String ellipsis) {
        if (width(text) <= columns) {
            return text;
        }
        var cut = new StringBuilder();
        int width = 0;
        boolean isFull = false;
        for (int i = 0; i < text.length(); ) {
            if (text.charAt(i) == ESCAPE) {
                int end = endOfEscape(text, i);
                cut.append(text, i, end);
                i = end;
                continue;
            }
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            if (!isFull && width + width(point) > columns - 1) {
                cut.append(ellipsis);
                isFull = true;
            }
            if (!isFull) {
                cut.appendCodePoint(point);
                width += width(point);
            }
        }
        return cut.toString();
    }

    static String pad(String text, int columns) {
        return text + " ".repeat(Math.max(0, columns - width(text)));
    }

    /// What a program writes to move or colour things is not for our picture.
    static String plain(String text) {
        var plain = new StringBuilder();
        // What stands before a carriage return would be overwritten.
        var shown = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        shown = shown.substring(shown.lastIndexOf('\r') + 1);
        for (int i = 0; i < shown.length(); ) {
            char c = shown.charAt(i);
            if (c == ESCAPE) {
                i = endOfEscape(shown, i);
                continue;
            }
            if (c == '\t') {
                plain.append(" ".repeat(8 - plain.length() % 8));
            } else if (!Character.isISOControl(c)) {
                plain.append(c);
            }
            i++;
        }
        return plain.toString();
    }

    private static int endOfEscape(String text, int start) {
        if (start + 1 >= text.length() || text.charAt(start + 1) != '[') {
            return Math.min(text.length(), start + 2);
        }
        int end = start + 2;
        while (end < text.length() && (text.charAt(end) < 0x40 || text.charAt(end) > 0x7e)) {
            end++;
        }
        return Math.min(text.length(), end + 1);
    }

    // Combining marks take no place, East Asian characters and pictures two.
    private static int width(int point) {
        int type = Character.getType(point);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK || type == Character.FORMAT) {
            return 0;
        }
        boolean isWide = (point >= 0x1100 && point <= 0x115f)
                || (point >= 0x2e80 && point <= 0xa4cf)
                || (point >= 0xac00 && point <= 0xd7a3)
                || (point >= 0xf900 && point <= 0xfaff)
                || (point >= 0xfe30 && point <= 0xfe6f)
                || (point >= 0xff00 && point <= 0xff60)
                || (point >= 0x1f300 && point <= 0x1faff)
                || (point >= 0x20000 && point <= 0x3fffd);
        return isWide ? 2 : 1;
    }
}
