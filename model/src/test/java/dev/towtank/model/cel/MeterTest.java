package dev.towtank.model.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.towtank.model.Json;
import dev.towtank.model.YamlText;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What evaluations cost on given data. The numbers are those of Kubernetes.
class MeterTest {

    private static final Json.Obj SELF = (Json.Obj) YamlText.parse("""
            text: Rook takes 👑
            number: 5
            enum: Pending
            list: [1, 2, 3]
            other: [1, 2, 3]
            words: [a, b, c]
            array: [1, 1, 2, 2, 3, 3, 4, 5]
            map: {b: 1, d: 2}
            objects:
              - {k: a1, v: b1}
              - {k: a2, v: b2}
              - {k: a3, v: b3, v2: z}
            """);

    private static Shape object(Map<String, Shape> shapes, String name) {
        var fields = new LinkedHashMap<String, Shape.Field>();
        shapes.forEach((key, shape) -> fields.put(key, new Shape.Field(key, shape)));
        return new Shape.ObjectOf(name, fields);
    }

    private static final Shape SHAPE = object(
            Map.of(
                    "text", Shape.Scalar.STRING,
                    "number", Shape.Scalar.INT,
                    "enum", Shape.Scalar.STRING,
                    "list", new Shape.ListOf(Shape.Scalar.INT),
                    "other", new Shape.ListOf(Shape.Scalar.INT),
                    "words", new Shape.ListOf(Shape.Scalar.STRING),
                    "array", new Shape.ListOf(Shape.Scalar.INT),
                    "map", new Shape.MapOf(Shape.Scalar.INT),
                    "objects",
                            new Shape.ListOf(object(
                                    Map.of(
                                            "k", Shape.Scalar.STRING,
                                            "v", Shape.Scalar.STRING,
                                            "v2", Shape.Scalar.STRING),
                                    "each"))),
            "self");

    private static final Expressions.Scope SCOPE = Expressions.kubernetes().scope(Map.of("self", SHAPE));

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            self.number == self.number                                      | 5
            type(self.number) == int                                        | 4
            self.number + 1 == 5 + 1                                        | 5
            self.text.startsWith('Rook')                                    | 3
            !self.text.startsWith('knight')                                 | 4
            self.text.matches('^[^0-9]*$')                                  | 8
            !self.text.matches('^[0-9]*$')                                  | 7
            size(self.text) == 12                                           | 4
            self.text.charAt(3) == 'k'                                      | 4
            self.text.indexOf('o') == 1                                     | 4
            self.text.replace(' ', 'x') == 'Rookxtakesx👑'                  | 7
            self.text.split(' ') == ['Rook', 'takes', '👑']                 | 6
            self.text.substring(5) == 'takes 👑'                            | 5
            self.text.substring(4, 10).trim() == 'takes'                    | 6
            self.text.upperAscii() == 'ROOK TAKES 👑'                       | 6
            self.text.lowerAscii() == self.text.lowerAscii()                | 10
            self.enum == 'Pending'                                          | 3
            self.enum in ['Pending', 'Available']                           | 2
            1 in self.list                                                  | 5
            self.other[0] in self.list                                      | 8
            !(0 in self.list)                                               | 6
            self.list + self.other == [1, 2, 3, 1, 2, 3]                    | 6
            self.list + [4, 5] == [1, 2, 3, 4, 5]                           | 4
            has(self.list)                                                  | 1
            has(self.list) && has(self.other)                               | 2
            sets.contains(self.words, ['a'])                                | 6
            sets.equivalent(self.words, ['a', 'b', 'c'])                    | 21
            sets.intersects(self.words, ['a'])                              | 6
            'b' in self.map                                                 | 3
            !has(self.map.a)                                                | 3
            self.map.all(k, self.map[k] > 0)                                | 17
            !self.map.exists(k, self.map[k] == 3)                           | 20
            size(self.map.filter(k, self.map[k] > 1)) == 1                  | 26
            has(self.objects[0].v)                                          | 3
            self.objects.all(m, m.k.startsWith('a'))                        | 21
            self.objects.exists(m, m.k.endsWith('1'))                       | 13
            self.objects.exists_one(m, m.k == 'a3')                         | 15
            !self.objects.all(m, m.k.endsWith('1'))                         | 18
            !self.objects.exists(m, m.v == 'x')                             | 25
            size(self.objects.filter(m, m.k == 'a1')) == 1                  | 27
            self.objects.exists(m, m.k == 'a1' && m.v == 'b1')              | 16
            self.objects.map(m, m.v).exists(v, v == 'b1')                   | 55
            self.objects.exists(m, has(m.v2) && m.v2 == 'z')                | 21
            self.array.all(e, e > 0)                                        | 43
            self.array.exists(e, e > 2)                                     | 36
            self.array.exists_one(e, e > 4)                                 | 22
            size(self.array.filter(e, e%2 == 0)) == 3                       | 68
            self.array.map(e, e * 20).filter(e, e > 50).exists(e, e == 60)  | 194
            self.array.transformList(i, e, e * 2).size() > 0                | 117
            """)
    void costsWhatItCostsInKubernetes(String text, long cost) throws Expressions.Malformed {
        var outcome = SCOPE.compile(text, Shape.Scalar.BOOL).evaluate(Map.of("self", SELF), 1_000_000);
        assertThat(outcome).isEqualTo(new Expression.Outcome.Value(Json.of(true), cost));
    }
}
