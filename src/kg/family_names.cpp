// SPDX-License-Identifier: Apache-2.0
#include "kg/family_names.hpp"

#include <array>

namespace lerpp::family {
namespace {

constexpr auto women = std::to_array<std::string_view>({
    "ada",     "aisha",  "akiko",   "alice",  "amara",  "amina",  "ana",   "anna",   "asha",
    "astrid",  "aylin",  "beatriz", "bela",   "carmen", "chiara", "chloe", "clara",  "dalia",
    "diana",   "dina",   "edith",   "elena",  "elif",   "ella",   "emma",  "esther", "eva",
    "farah",   "fatima", "frida",   "gloria", "greta",  "hana",   "helen", "ines",   "ingrid",
    "irene",   "iris",   "jana",    "julia",  "kaya",   "keiko",  "laila", "lara",   "leonie",
    "lina",    "lucia",  "mai",     "maria",  "marta",  "mei",    "mila",  "mina",   "nadia",
    "naomi",   "nina",   "noor",    "olga",   "paula",  "priya",  "rania", "rosa",   "ruth",
    "sakura",  "sara",   "selma",   "sofia",  "tala",   "tamar",  "tanya", "teresa", "uma",
    "valeria", "vera",   "wanda",   "xenia",  "yara",   "yuki",   "zahra", "zoe",
});

constexpr auto men = std::to_array<std::string_view>({
    "adam",   "ahmed", "akira",   "ali",    "amir",   "anton",  "ari",    "arjun",  "ben",
    "bilal",  "bruno", "carlos",  "chen",   "dan",    "daniel", "david",  "diego",  "dmitri",
    "elias",  "emil",  "eric",    "felix",  "femi",   "finn",   "george", "hassan", "hiro",
    "hugo",   "ian",   "ibrahim", "idris",  "igor",   "isaac",  "ivan",   "jakob",  "jan",
    "javier", "jin",   "john",    "jonas",  "jose",   "juan",   "kai",    "karim",  "kofi",
    "kwame",  "lars",  "leo",     "liam",   "luca",   "lukas",  "marco",  "marek",  "martin",
    "mateo",  "max",   "milan",   "musa",   "nils",   "noah",   "oliver", "omar",   "oscar",
    "otto",   "pablo", "paul",    "peter",  "pierre", "rafael", "ravi",   "samuel", "sanjay",
    "stefan", "tariq", "thomas",  "victor", "walter", "yusuf",  "zain",   "zoltan",
});

constexpr auto families = std::to_array<std::string_view>({
    "abebe",    "adeyemi", "ahmad",   "almeida", "anders",   "aoki",    "bakker",  "banerjee",
    "bauer",    "becker",  "bell",    "benali",  "berg",     "bianchi", "blanc",   "boateng",
    "bondar",   "brown",   "cohen",   "costa",   "cruz",     "dahl",    "diaz",    "dubois",
    "eriksen",  "fischer", "flores",  "fofana",  "fontana",  "garcia",  "greco",   "gupta",
    "haddad",   "hansen",  "hill",    "horvat",  "hughes",   "ito",     "ivanov",  "jansen",
    "jensen",   "jones",   "kang",    "kaplan",  "keller",   "khan",    "kim",     "kovacs",
    "kowalski", "kruger",  "kumar",   "laine",   "lambert",  "lee",     "levy",    "lopez",
    "maier",    "mansour", "martins", "mendes",  "mensah",   "meyer",   "molina",  "moreau",
    "mori",     "murphy",  "mwangi",  "nagy",    "nakamura", "nguyen",  "nkosi",   "novak",
    "okafor",   "olsen",   "ortiz",   "osei",    "park",     "patel",   "pereira", "petrov",
    "popescu",  "quinn",   "rahman",  "ramos",   "reyes",    "ricci",   "rossi",   "saito",
    "santos",   "sato",    "schmidt", "sharma",  "silva",    "singh",   "sokolov", "suzuki",
    "svensson", "takeda",  "tanaka",  "torres",  "toure",    "traore",  "varga",   "vega",
    "virtanen", "wagner",  "walsh",   "wang",    "weber",    "wolf",    "wong",    "wright",
    "yamada",   "yang",    "yilmaz",  "young",   "zhang",    "zhou",    "ziegler", "zulu",
});

}  // namespace

std::span<const std::string_view> women_names() {
  return women;
}
std::span<const std::string_view> men_names() {
  return men;
}
std::span<const std::string_view> family_names() {
  return families;
}

}  // namespace lerpp::family
