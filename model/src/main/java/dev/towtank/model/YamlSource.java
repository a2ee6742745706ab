package dev.towtank.model;

import java.io.StringReader;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.scanner.Constant;

/// A text for the YAML library, all of it at hand.
///
/// The library's own way to read takes a kilobyte at a time and copies what it holds for each: a value of some
/// megabytes costs the square of its length in time and in garbage.
final class YamlSource extends StreamReader {

    private static final String NAME = "'reader'";
    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final int[] text;
    private int at;
    private int line;
    private int column;
    private int inDocument;

    /// @throws ReaderException when the text has characters that YAML does not allow
    YamlSource(String text) {
        super(new StringReader(""));
        this.text = text.codePoints().toArray();
        for (int i = 0; i < this.text.length; i++) {
            if (!isPrintable(this.text[i])) {
                throw new ReaderException(NAME, i, this.text[i], "special characters are not allowed");
            }
        }
    }

    @Override
    public Mark getMark() {
        return new Mark(NAME, at, line, column, text, at);
    }

    @Override
    public void forward() {
        forward(1);
    }

    @Override
    public void forward(int length) {
        for (int i = 0; i < length && at < text.length; i++) {
            int c = text[at++];
            inDocument++;
            if (Constant.LINEBR.has(c) || (c == '\r' && at < text.length && text[at] != '\n')) {
                line++;
                column = 0;
            } else if (c != BYTE_ORDER_MARK) {
                column++;
            }
        }
    }

    @Override
    public int peek() {
        return peek(0);
    }

    @Override
    public int peek(int distance) {
        return distance < text.length - at ? text[at + distance] : 0;
    }

    @Override
    public String prefix(int length) {
        return new String(text, at, Math.min(length, text.length - at));
    }

    /// Within one line.
    @Override
    public String prefixForward(int length) {
        var prefix = prefix(length);
        at += length;
        inDocument += length;
        column += length;
        return prefix;
    }

    @Override
    public int getColumn() {
        return column;
    }

    @Override
    public int getLine() {
        return line;
    }

    @Override
    public int getIndex() {
        return at;
    }

    @Override
    public int getDocumentIndex() {
        return inDocument;
    }

    @Override
    public void resetDocumentIndex() {
        inDocument = 0;
    }
}
