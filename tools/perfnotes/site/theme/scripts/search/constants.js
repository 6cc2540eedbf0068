// What both engines of the search need; tools/perfnotes/search/constants.py says what each is.
import constants from "../../../../search/constants.json" with { type: "json" };

export const {
  ALPHABET, BLOCKS, CJK, DIGEST_LENGTH, ENDINGS, EXACT, FEW_SLOTS, FIRST_SHARDS, FORM, FORMAT,
  GROUP, KINDS, LEAST_COVERED, LIGHTER, LIGHTEST, LONELY, LONGEST_QUERY, LONGEST_TERM, LOOSE,
  MORE_COVERED, MOST_CORRECTIONS, MOST_COVERED, MOST_EXPANSIONS, MOST_FORMS, MOST_PARTS,
  MOST_PHRASE, MOST_SLOTS, NAMED, NO_PLURAL, NUMBER, RARER, RARITY, STOP, STOP_ZH, TERM_GROUP,
  WEIGHTS, WIDE,
} = constants;
