package dev.towtank.model.crd.schema;

/// Numbers with a check digit.
final class BookNumbers {

    private BookNumbers() {}

    static boolean isTen(String text) {
        var digits = text.replace("-", "").replace(" ", "");
        if (digits.length() != 10) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < 10; i++) {
            char c = digits.charAt(i);
            if (!isDigit(c) && !(i == 9 && c == 'X')) {
                return false;
            }
            sum += (10 - i) * (c == 'X' ? 10 : c - '0');
        }
        return sum % 11 == 0;
    }

    static boolean isThirteen(String text) {
        var digits = text.replace("-", "").replace(" ", "");
        if (digits.length() != 13 || !digits.chars().allMatch(BookNumbers::isDigit)) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < 13; i++) {
            sum += (digits.charAt(i) - '0') * (i % 2 == 0 ? 1 : 3);
        }
        return sum % 10 == 0;
    }

    static boolean isCreditCard(String text) {
        var digits = text.chars().filter(BookNumbers::isDigit).map(c -> c - '0').toArray();
        if (digits.length < 13 || digits.length > 19) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < digits.length; i++) {
            int digit = digits[digits.length - 1 - i];
            int doubled = i % 2 == 0 ? digit : digit * 2;
            sum += doubled > 9 ? doubled - 9 : doubled;
        }
        return sum % 10 == 0;
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
