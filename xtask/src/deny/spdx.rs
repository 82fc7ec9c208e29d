//! SPDX licence expressions: names joined by `AND`, `OR` and `WITH`, and parentheses.

/// Whether the licences that are allowed satisfy an expression. `WITH` an exception is a name of its own, as in
/// `Apache-2.0 WITH LLVM-exception`. An expression that cannot be read is not satisfied.
pub(super) fn is_allowed(expression: &str, is_known: impl Fn(&str) -> bool) -> bool {
    // Before there were expressions, a slash stood between alternatives.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut reader = ExpressionReader { words: &words, is_known: &is_known };
    reader.any_of().is_some_and(|allowed| allowed && reader.words.is_empty())
}

struct ExpressionReader<'a> {
    words: &'a [&'a str],
    is_known: &'a dyn Fn(&str) -> bool,
}

impl ExpressionReader<'_> {
    fn next_if(&mut self, word: &str) -> bool {
        let is_next = self.words.first() == Some(&word);
        if is_next {
            self.words = &self.words[1..];
        }
        is_next
    }

    fn any_of(&mut self) -> Option<bool> {
        let mut allowed = self.all_of()?;
        while self.next_if("OR") {
            allowed |= self.all_of()?;
        }
        Some(allowed)
    }

    fn all_of(&mut self) -> Option<bool> {
        let mut allowed = self.one()?;
        while self.next_if("AND") {
            allowed &= self.one()?;
        }
        Some(allowed)
    }

    fn one(&mut self) -> Option<bool> {
        if self.next_if("(") {
            let allowed = self.any_of()?;
            return self.next_if(")").then_some(allowed);
        }
        let (&name, rest) = self.words.split_first()?;
        self.words = rest;
        if !self.next_if("WITH") {
            return Some((self.is_known)(name));
        }
        let (&exception, rest) = self.words.split_first()?;
        self.words = rest;
        Some((self.is_known)(&format!("{name} WITH {exception}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_judged() {
        let is_known =
            |name: &str| ["MIT", "Apache-2.0", "Zlib", "Apache-2.0 WITH LLVM-exception"].contains(&name);
        for allowed in [
            "MIT",
            "MIT OR GPL-2.0",
            "GPL-2.0 OR MIT",
            "MIT/Apache-2.0",
            "MIT AND Zlib",
            "(MIT OR GPL-2.0) AND Zlib",
            "Apache-2.0 WITH LLVM-exception OR GPL-2.0",
        ] {
            assert!(is_allowed(allowed, is_known), "{allowed}");
        }
        for refused in [
            "",
            "GPL-2.0",
            "MIT AND GPL-2.0",
            "Zlib WITH LLVM-exception",
            "MIT OR",
            "(MIT",
            "MIT)",
            "MIT Zlib",
        ] {
            assert!(!is_allowed(refused, is_known), "{refused}");
        }
    }
}
