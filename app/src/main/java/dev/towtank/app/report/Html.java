package dev.towtank.app.report;

/// HTML as it grows. Text is escaped, whatever it holds; only names of elements and attributes are not, and
/// they are ours.
final class Html {
    private final StringBuilder text = new StringBuilder();

    /// Opens an element.
    ///
    /// @param attributes names and values by turns; one whose value is empty is left out
    Html open(String element, String... attributes) {
        text.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            if (!attributes[i + 1].isEmpty()) {
                text.append(' ')
                        .append(attributes[i])
                        .append("=\"")
                        .append(escape(attributes[i + 1]))
                        .append('"');
            }
        }
        text.append('>');
        return this;
    }

    Html close(String element) {
        text.append("</").append(element).append('>');
        return this;
    }

    /// An element with nothing but text in it.
    Html element(String element, String content, String... attributes) {
        return open(element, attributes).text(content).close(element);
    }

    /// The sign of a state, at a place in a picture.
    Html sign(State state, int x, int y) {
        return open("path", "class", "sign", "d", state.path(), "transform", "translate(" + x + " " + y + ")")
                .close("path");
    }

    /// The sign of a state, within text.
    Html sign(State state) {
        return open("svg", "class", "sign", "viewBox", "0 0 16 16", "aria-hidden", "true")
                .open("path", "d", state.path())
                .close("path")
                .close("svg");
    }

    Html text(String content) {
        text.append(escape(content));
        return this;
    }

    Html line() {
        text.append('\n');
        return this;
    }

    /// What is HTML already, and ours.
    Html add(Html other) {
        text.append(other.text);
        return this;
    }

    /// A constant of this program, such as the style sheet.
    Html constant(String markup) {
        text.append(markup);
        return this;
    }

    static String escape(String content) {
        var escaped = new StringBuilder(content.length() + 16);
        for (int i = 0; i < content.length(); i++) {
            char c = content.charAt(i);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                case '\n', '\t' -> escaped.append(c);
                default -> escaped.append(isPrintable(c) ? c : '\uFFFD');
            }
        }
        return escaped.toString();
    }

    /// Not what ends lines unseen, or turns the direction of the text after it.
    private static boolean isPrintable(char c) {
        return !Character.isISOControl(c)
                && !(c >= '\u202A' && c <= '\u202E')
                && !(c >= '\u2066' && c <= '\u2069')
                && c != '\uFFFE'
                && c != '\uFFFF';
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
