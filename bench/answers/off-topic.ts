// Questions that none of the benchmark's documents answers: everyday knowledge, trades and places they do not speak of.

export const OFF_TOPIC: readonly string[] = `
How long should I boil an egg?
Who composed the opera The Magic Flute?
What is the boiling point of mercury?
Which planet has the most moons?
How do I prune an apple tree in winter?
What year did the Titanic sink?
Who won the football world cup in 1998?
How many strings does a cello have?
What is the capital of Mongolia?
How do I remove a wine stain from a carpet?
Which vitamin prevents scurvy?
What is the plot of Hamlet?
How far is the moon from the earth?
Who painted the Night Watch?
What causes the northern lights?
How is cheese made?
What is the offside rule?
When was the Suez Canal opened?
Which instrument did Chopin play?
How do bees make honey?
What is the melting point of gold?
How many teeth does an adult have?
Who was the first woman in space?
What is the recipe for risotto?
How does a sewing machine work?
Which river flows through Vienna?
What do pandas eat?
How tall is the Eiffel Tower?
Who discovered penicillin?
What is the currency of Sweden?
How do I tune a guitar?
What is the largest desert in the world?
When did the Berlin Wall fall?
What does a dermatologist treat?
How many players are on a volleyball team?
What is photosynthesis?
Which bird lays the largest egg?
Who wrote Don Quixote?
How do I fold a fitted sheet?
What is the freezing point of seawater?
Which country invented gunpowder?
How long does it take to learn to ski?
What is the national flower of Scotland?
Who designed the Sydney Opera House?
What is the difference between a frog and a toad?
How do I plant tulip bulbs?
What is a leap year?
Which chess piece can only move diagonally?
How are pearls formed?
What is the best way to cook salmon?
Who was the wife of Louis XVI?
What is the speed of sound?
How do I change a bicycle tyre?
What language is spoken in Brazil?
Which metal is liquid at room temperature?
How many keys does a piano have?
ゆで卵は何分ゆでればよいですか？
モーツァルトはどこで生まれましたか？
富士山の噴火は最後にいつ起きましたか？
味噌汁の作り方を教えてください。
日本で一番長い川は何ですか？
着物の帯はどう結びますか？
相撲の土俵の直径は何メートルですか？
桜が咲くのはいつですか？
俳句は何文字ですか？
将棋の駒は全部で何枚ですか？
パンダは何を食べますか？
虹はなぜ七色に見えるのですか？
ピアノの鍵盤は何本ですか？
オリンピックは何年ごとに開かれますか？
夏目漱石の代表作は何ですか？
茶道の三千家とは何ですか？
クジラは何の仲間ですか？
日本の首都はどこですか？
ワインの染みはどうやって落としますか？
月までの距離はどのくらいですか？
ビタミンCが多い果物は何ですか？
犬の平均寿命は何年ですか？
鎌倉幕府を開いたのは誰ですか？
キャベツの旬はいつですか？
自転車のパンクの直し方を教えてください。
地震はなぜ起きるのですか？
バイオリンの弦は何本ですか？
餃子の皮は何から作りますか？
歌舞伎の発祥はどこですか？
盆踊りの由来は何ですか？
一番近い恒星は何ですか？
うるう年はなぜありますか？
サッカーは何人で行いますか？
蜂蜜はどうやって作られますか？
金閣寺を建てたのは誰ですか？
豆腐の原料は何ですか？
イルカはどうやって眠りますか？
寿司に合う日本酒は何ですか？
北極に住む動物は何ですか？
チューリップの球根はいつ植えますか？
平安時代は何年続きましたか？
ギターの調弦の順番は？
日食はどうして起こりますか？
温泉の効能にはどんなものがありますか？
カレーの隠し味は何がよいですか？
源氏物語の作者は誰ですか？
蝉は何年土の中にいますか？
障子の張り替え方を教えてください。
和紙は何から作られますか？
人間の骨は何本ありますか？
ヒマワリの花言葉は何ですか？
すき焼きの割り下の材料は？
流れ星とは何ですか？
`
  .trim()
  .split("\n");

/** Letters without words, in several scripts. */
export const GIBBERISH: readonly string[] = `
zxqv blorf
qwrt plmk zzzt
asdf jkl; asdf
fnord vrumple snark gleeb
hjklhjkl uiopuiop
xkcd qqq wwwxxx
blargle the frimp of zanzor
what is the quorble of drizzen?
who vrampled the snurf?
zzzz
qzx-917-vv
ぬふあうえお やゆよわほへ
けそめじろ かまぼぞくり
ヌポペ ザクヘモ
龘靐齉 爨癵
鬱躑躅 蠹鱻
кцщжхъ фывапр
ㅁㄴㅇㄹ ㅂㅈㄷㄱ
glorp?
mxyzptlk nrrgh
wakka wakka hoo
`
  .trim()
  .split("\n");
