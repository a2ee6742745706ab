package dev.towtank.model.template.functions;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Texts as words: their letters' case, their beginnings, and lines of them.
final class Words {
    private static final int SHORTEST_ABBREVIATION = 4;
    private static final int SHORTEST_ABBREVIATION_OF_BOTH = 7;

    private Words() {}

    static String title(String text) {
        var out = new StringBuilder(text.length());
        boolean inWord = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            out.append(inWord ? c : Character.toTitleCase(c));
            inWord = Character.isLetterOrDigit(c) || c == '_' || c == '\'' || (c > 0x7F && !TextFunctions.isSpace(c));
        }
        return out.toString();
    }

    static String untitle(String text) {
        var out = new StringBuilder(text.length());
        boolean atStart = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            out.append(atStart ? Character.toLowerCase(c) : c);
            atStart = Character.isWhitespace(c);
        }
        return out.toString();
    }

    static String swapCase(String text) {
        var out = new StringBuilder(text.length());
        boolean afterSpace = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isUpperCase(c) || Character.isTitleCase(c)) {
                out.append(Character.toLowerCase(c));
            } else if (Character.isLowerCase(c)) {
                out.append(afterSpace ? Character.toTitleCase(c) : Character.toUpperCase(c));
            } else {
                out.append(c);
            }
            afterSpace = Character.isWhitespace(c);
        }
        return out.toString();
    }

    static String initials(String text) {
        var out = new StringBuilder();
        for (var word : text.split("\\s+", -1)) {
            if (!word.isEmpty()) {
                out.appendCodePoint(word.codePointAt(0));
            }
        }
        return out.toString();
    }

    /// In lower case, with a mark between words: `HTTPServer 2` is `http_server_2`.
    static String joined(String text, char mark) {
        var words = new ArrayList<String>();
        for (var part : text.split("[\\s_-]+", -1)) {
            words.addAll(split(part));
        }
        words.removeIf(String::isEmpty);
        var inside = String.join(String.valueOf(mark), words).toLowerCase(Locale.ROOT);
        return edge(text, mark, true) + inside + edge(text, mark, false);
    }

    // Marks at the ends stay, as many as there are.
    private static String edge(String text, char mark, boolean front) {
        int count = 0;
        while (count < text.length() && isMark(text.charAt(front ? count : text.length() - 1 - count))) {
            count++;
        }
        return count == text.length() && !front ? "" : String.valueOf(mark).repeat(count);
    }

    private static boolean isMark(char c) {
        return c == '_' || c == '-' || Character.isWhitespace(c);
    }

    // A word begins where a capital follows something else, and at the last capital before small letters.
    private static List<String> split(String part) {
        var words = new ArrayList<String>();
        int start = 0;
        for (int i = 1; i < part.length(); i++) {
            char before = part.charAt(i - 1);
            char c = part.charAt(i);
            boolean small = i + 1 < part.length() && Character.isLowerCase(part.charAt(i + 1));
            boolean begins = Character.isUpperCase(c) && (!Character.isUpperCase(before) || small);
            if (begins) {
                words.add(part.substring(start, i));
                start = i;
            }
        }
        words.add(part.substring(start));
        return words;
    }

    /// `http_server` is `HttpServer`; capitals inside of a word stay.
    static String pascal(String text) {
        var out = new StringBuilder(text.length());
        boolean begins = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isMark(c)) {
                if (out.isEmpty() || i == text.length() - 1) {
                    out.append(c);
                }
                begins = true;
            } else {
                boolean inCapitals = i > 0 && Character.isUpperCase(text.charAt(i - 1)) && Character.isUpperCase(c);
                out.append(begins ? Character.toUpperCase(c) : inCapitals ? Character.toLowerCase(c) : c);
                begins = false;
            }
        }
        return out.toString();
    }

    static String abbreviate(String text, int offset, int width) {
        int left = offset;
        if (width < SHORTEST_ABBREVIATION
                || (left > 0 && width < SHORTEST_ABBREVIATION_OF_BOTH)
                || text.length() <= width) {
            return text;
        }
        left = Math.min(left, text.length());
        if (text.length() - left < width - 3) {
            left = text.length() - (width - 3);
        }
        if (left <= 4) {
            return text.substring(0, width - 3) + "...";
        }
        if (left + width - 3 < text.length()) {
            return "..." + abbreviate(text.substring(left), 0, width - 3);
        }
        return "..." + text.substring(text.length() - (width - 3));
    }

    /// Lines of at most so many characters; words longer than that are cut only where asked.
    static String wrap(String text, int width, String newline, boolean cutsLongWords) {
        int length = Math.max(1, width);
        int offset = 0;
        var out = new StringBuilder();
        while (text.length() - offset > length) {
            if (text.charAt(offset) == ' ') {
                offset++;
                continue;
            }
            int space = text.lastIndexOf(' ', offset + length);
            if (space >= offset) {
                out.append(text, offset, space).append(newline);
                offset = space + 1;
            } else if (cutsLongWords) {
                out.append(text, offset, offset + length).append(newline);
                offset += length;
            } else {
                int next = text.indexOf(' ', offset + length);
                if (next < 0) {
                    break;
                }
                out.append(text, offset, next).append(newline);
                offset = next + 1;
            }
        }
        return out.append(text.substring(offset)).toString();
    }
}
