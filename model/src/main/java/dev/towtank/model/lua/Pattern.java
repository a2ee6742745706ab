package dev.towtank.model.lua;

import java.util.Arrays;

/// Lua's patterns. A match may go back and forth without end, so each attempt counts as a step of the run.
final class Pattern {

    private static final int MAX_CAPTURES = 32;
    private static final int MAX_DEPTH = 200;
    private static final int POSITION = -2;
    private static final int UNFINISHED = -1;
    private static final int NO_MATCH = -1;

    private final Run run;
    private final String text;
    private final String pattern;
    private final boolean isAnchored;
    private final int[] starts = new int[MAX_CAPTURES];
    private final int[] lengths = new int[MAX_CAPTURES];
    private int level;
    private int depth;
    private int start;
    private int end;

    Pattern(Run run, String text, String pattern) {
        this.run = run;
        this.text = text;
        this.pattern = pattern;
        this.isAnchored = pattern.startsWith("^");
    }

    boolean isAnchored() {
        return isAnchored;
    }

    int start() {
        return start;
    }

    int end() {
        return end;
    }

    String whole() {
        return run.text(text.substring(start, end));
    }

    boolean find(int from) {
        for (int at = from; at <= text.length(); at++) {
            level = 0;
            int matched = match(at, isAnchored ? 1 : 0);
            if (matched != NO_MATCH) {
                start = at;
                end = matched;
                return true;
            }
            if (isAnchored) {
                return false;
            }
        }
        return false;
    }

    /// @param orWhole if the pattern has no captures, all of the match counts as one
    Object[] captures(boolean orWhole) {
        if (level == 0 && orWhole) {
            return new Object[] {whole()};
        }
        var values = new Object[level];
        Arrays.setAll(values, this::capture);
        return values;
    }

    private Object capture(int index) {
        int length = lengths[index];
        if (length == UNFINISHED) {
            throw run.error("unfinished capture");
        }
        return length == POSITION
                ? (Object) (starts[index] + 1.0)
                : run.text(text.substring(starts[index], starts[index] + length));
    }

    private int match(int at, int from) {
        if (++depth > MAX_DEPTH) {
            throw run.error("pattern/input too complex");
        }
        try {
            int position = at;
            int item = from;
            while (item < pattern.length()) {
                run.step();
                switch (pattern.charAt(item)) {
                    case '(' -> {
                        return open(position, item);
                    }
                    case ')' -> {
                        return close(position, item);
                    }
                    case '$' -> {
                        if (item + 1 == pattern.length()) {
                            return position == text.length() ? position : NO_MATCH;
                        }
                    }
                    case '%' -> {
                        int special = special(position, item);
                        if (special != Integer.MIN_VALUE) {
                            if (special == NO_MATCH) {
                                return NO_MATCH;
                            }
                            position = special;
                            item += letter(item) == 'b' ? 4 : letter(item) == 'f' ? classEnd(item + 2) - item : 2;
                            continue;
                        }
                    }
                    default -> {}
                }
                int next = classEnd(item);
                char suffix = next < pattern.length() ? pattern.charAt(next) : 0;
                if (suffix == '?' || suffix == '*' || suffix == '+' || suffix == '-') {
                    return repeated(position, item, next, suffix);
                }
                if (!matchesOne(position, item, next)) {
                    return NO_MATCH;
                }
                position++;
                item = next;
            }
            return position;
        } finally {
            depth--;
        }
    }

    private char letter(int item) {
        return item + 1 < pattern.length() ? pattern.charAt(item + 1) : 0;
    }

    private int repeated(int position, int item, int next, char suffix) {
        return switch (suffix) {
            case '?' -> {
                if (matchesOne(position, item, next)) {
                    int rest = match(position + 1, next + 1);
                    if (rest != NO_MATCH) {
                        yield rest;
                    }
                }
                yield match(position, next + 1);
            }
            case '-' -> shortest(position, item, next);
            case '+' -> matchesOne(position, item, next) ? longest(position + 1, item, next) : NO_MATCH;
            default -> longest(position, item, next);
        };
    }

    private int longest(int position, int item, int next) {
        int count = 0;
        while (matchesOne(position + count, item, next)) {
            run.step();
            count++;
        }
        for (; count >= 0; count--) {
            run.step();
            int rest = match(position + count, next + 1);
            if (rest != NO_MATCH) {
                return rest;
            }
        }
        return NO_MATCH;
    }

    private int shortest(int from, int item, int next) {
        int position = from;
        while (true) {
            run.step();
            int rest = match(position, next + 1);
            if (rest != NO_MATCH) {
                return rest;
            }
            if (!matchesOne(position, item, next)) {
                return NO_MATCH;
            }
            position++;
        }
    }

    private int open(int position, int item) {
        if (level >= MAX_CAPTURES) {
            throw run.error("too many captures");
        }
        boolean isPosition = letter(item) == ')';
        starts[level] = position;
        lengths[level] = isPosition ? POSITION : UNFINISHED;
        level++;
        int matched = match(position, item + (isPosition ? 2 : 1));
        if (matched == NO_MATCH) {
            level--;
        }
        return matched;
    }

    private int close(int position, int item) {
        int open = level - 1;
        while (open >= 0 && lengths[open] != UNFINISHED) {
            open--;
        }
        if (open < 0) {
            throw run.error("invalid ')'");
        }
        lengths[open] = position - starts[open];
        int matched = match(position, item + 1);
        if (matched == NO_MATCH) {
            lengths[open] = UNFINISHED;
        }
        return matched;
    }

    /// Balanced pairs, frontiers and captures that come again. [Integer#MIN_VALUE] if it is none of these.
    private int special(int position, int item) {
        char letter = letter(item);
        if (letter == 'b') {
            return balanced(position, item + 2);
        }
        if (letter == 'f') {
            return frontier(position, item + 2);
        }
        return letter >= '0' && letter <= '9' ? again(position, letter - '1') : Integer.MIN_VALUE;
    }

    private int balanced(int position, int item) {
        if (item + 1 >= pattern.length()) {
            throw run.error("unexpected EOS");
        }
        char open = pattern.charAt(item);
        char close = pattern.charAt(item + 1);
        if (position >= text.length() || text.charAt(position) != open) {
            return NO_MATCH;
        }
        int nested = 1;
        for (int i = position + 1; i < text.length(); i++) {
            run.step();
            char character = text.charAt(i);
            if (character == close) {
                if (--nested == 0) {
                    return i + 1;
                }
            } else if (character == open) {
                nested++;
            }
        }
        return NO_MATCH;
    }

    private int frontier(int position, int item) {
        if (item >= pattern.length() || pattern.charAt(item) != '[') {
            throw run.error("missing '[' after '%f' in pattern");
        }
        int next = classEnd(item);
        char before = position == 0 ? 0 : text.charAt(position - 1);
        char after = position < text.length() ? text.charAt(position) : 0;
        return !isInSet(before, item, next - 1) && isInSet(after, item, next - 1) ? position : NO_MATCH;
    }

    private int again(int position, int index) {
        if (index < 0 || index >= level || lengths[index] == UNFINISHED) {
            throw run.error("invalid capture index");
        }
        int length = Math.max(0, lengths[index]);
        run.steps(length / 64);
        return text.regionMatches(starts[index], text, position, length) ? position + length : NO_MATCH;
    }

    /// Where the item that begins here ends.
    private int classEnd(int item) {
        if (item >= pattern.length()) {
            throw run.error("unexpected EOS");
        }
        char first = pattern.charAt(item);
        if (first == '%') {
            if (item + 1 >= pattern.length()) {
                throw run.error("unexpected EOS");
            }
            return item + 2;
        }
        if (first != '[') {
            return item + 1;
        }
        int position = item + 1;
        if (position < pattern.length() && pattern.charAt(position) == '^') {
            position++;
        }
        do {
            if (position >= pattern.length()) {
                throw run.error("unexpected EOS");
            }
            position += pattern.charAt(position) == '%' ? 2 : 1;
        } while (position >= pattern.length() || pattern.charAt(position) != ']');
        return position + 1;
    }

    private boolean matchesOne(int position, int item, int next) {
        if (position >= text.length()) {
            return false;
        }
        char character = text.charAt(position);
        return switch (pattern.charAt(item)) {
            case '.' -> true;
            case '%' -> isInClass(character, pattern.charAt(item + 1));
            case '[' -> {
                run.steps((next - item) / 8);
                yield isInSet(character, item, next - 1);
            }
            default -> pattern.charAt(item) == character;
        };
    }

    private boolean isInSet(char character, int item, int last) {
        int position = item + 1;
        boolean isNegated = pattern.charAt(position) == '^';
        if (isNegated) {
            position++;
        }
        for (; position < last; position++) {
            char member = pattern.charAt(position);
            if (member == '%') {
                if (isInClass(character, pattern.charAt(++position))) {
                    return !isNegated;
                }
            } else if (position + 2 < last && pattern.charAt(position + 1) == '-') {
                if (member <= character && character <= pattern.charAt(position + 2)) {
                    return !isNegated;
                }
                position += 2;
            } else if (member == character) {
                return !isNegated;
            }
        }
        return isNegated;
    }

    private static boolean isInClass(char character, char letter) {
        boolean found = switch (letter | 32) {
            case 'a' -> isLetter(character);
            case 'c' -> character < 32 || character == 127;
            case 'd' -> isDigit(character);
            case 'l' -> character >= 'a' && character <= 'z';
            case 'p' -> character > 32 && character < 127 && !isLetter(character) && !isDigit(character);
            case 's' -> character == ' ' || (character >= 9 && character <= 13);
            case 'u' -> character >= 'A' && character <= 'Z';
            case 'w' -> isLetter(character) || isDigit(character);
            case 'x' -> Character.digit(character, 16) >= 0 && character < 128;
            case 'z' -> character == 0;
            default -> {
                // Not a class: the character itself.
                yield letter == character;
            }
        };
        boolean isClass = "acdlpsuwxz".indexOf(letter | 32) >= 0;
        return (isClass && letter >= 'A' && letter <= 'Z') ? !found : found;
    }

    private static boolean isLetter(char character) {
        return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }
}
